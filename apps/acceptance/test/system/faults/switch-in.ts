import { register } from 'node:module';
import { type Mutant, mutants } from './mutants.js';

/** Node.js loads this file with --import. The query of the file's URL names the mutant. */
const mutant = new URL(import.meta.url).searchParams.get('mutant') as Mutant;
register('./replacing-hooks.js', import.meta.url, { data: mutants[mutant] });
