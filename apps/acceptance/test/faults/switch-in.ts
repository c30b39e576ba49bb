import { register } from 'node:module';
import { type Mutant, mutants } from './mutants.js';

/** Node loads this file with --import; its URL names the mutant. */
const mutant = new URL(import.meta.url).searchParams.get('mutant') as Mutant;
register('./replacing-hooks.js', import.meta.url, { data: mutants[mutant] });
