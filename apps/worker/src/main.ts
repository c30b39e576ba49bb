import { runApp } from '@takt/database/app';
import { startProgram } from './program.js';

await runApp('worker', startProgram);
