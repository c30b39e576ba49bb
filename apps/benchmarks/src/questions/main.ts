import { report, startServer, withCleanup } from '../harness.js';
import { LIST_SERVER, withList } from '../read/serve-list.js';
import { type MeasuredPage, measureQuestions, toTables } from './questions.js';

const SIZES = (process.env['BENCH_ROWS'] ?? '10000,100000,1000000').split(',').map(Number);
const options = {
  rounds: Number(process.env['BENCH_ROUNDS'] ?? 3),
  filters: Number(process.env['BENCH_FILTERS'] ?? 200),
  seed: Number(process.env['BENCH_SEED'] ?? 1),
};

await withCleanup(async (defer) => {
  const server = await startServer(defer, LIST_SERVER, process.env['BENCH_HOME']);
  const pages: MeasuredPage[] = [];
  for (const structureVersions of SIZES) {
    const size = { structureVersions, operations: 0 };
    pages.push(...(await withList(server, size, (list) => measureQuestions(list, options))));
  }
  await report('questions', options, toTables(pages));
});
