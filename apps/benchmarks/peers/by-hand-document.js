const MICRO = 1_000_000;
const hours = (units) => (units === null ? null : units / MICRO);

const KINDS = ['Run', 'Setup', 'Cleanup'];
const FIGURES = ['Average', 'Shortest', 'Longest', 'Deviation'];

/** Fields that can be ordered and filtered by, with their columns. */
export const FIELDS = new Map([
  ['NumberOfCompletedProductionWorkOrders', 'number_of_completed_operations'],
  ...KINDS.flatMap((kind) => [
    [`${kind}Time`, `${kind.toLowerCase()}_time`],
    ...FIGURES.map((figure) => [`${figure}${kind}Time`, `${figure}_${kind}_time`.toLowerCase()]),
  ]),
]);

/** The rows of a page, one more where there is another page, as the document that Takt's API gives. */
export function documentOf(rows, question) {
  const { top, isBackward, position, baseUrl } = question;
  const hasMore = rows.length > top;
  const shown = rows.slice(0, top);
  if (isBackward) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const linkTo = pageLinks(question);
  const hasPrevious = isBackward ? hasMore : question.key !== undefined;
  const hasNext = isBackward ? question.key !== undefined : hasMore;
  const at = isBackward ? position - shown.length : position;
  return {
    productStructureVersionAggregatedProductionTimes: shown.map((row) => itemOf(row, baseUrl)),
    paging: {
      pageSize: top,
      position: shown.length === 0 ? 0 : at,
      page: 1 + Math.floor((at - 1) / top),
      firstPage: linkTo(''),
      previousPage: hasPrevious
        ? linkTo(`&before=${at},${first.sort_key},${first.product_structure_version_id}`)
        : null,
      nextPage: hasNext
        ? linkTo(`&after=${at + shown.length},${last.sort_key},${last.product_structure_version_id}`)
        : null,
      lastPage: linkTo('&before=end'),
    },
  };
}

function pageLinks({ baseUrl, top, order, descends, filter, operator, value }) {
  const filtered = filter === undefined ? '' : `&filter=${filter}&operator=${operator}&value=${value}`;
  const query = `?top=${top}&order=${order}&descends=${descends}${filtered}`;
  return (key) => `${baseUrl}/production-times${query}${key}`;
}

function itemOf(row, baseUrl) {
  return {
    productStructureVersion: {
      productStructureVersionId: row.product_structure_version_id,
      status: row.status,
      name: row.name,
      version: row.version,
      revision: row.revision,
      productStructure: {
        product: {
          productId: row.product_id,
          status: row.product_status,
          name: row.product_name,
          type: row.product_type,
          description: row.product_description,
          productLink: `${baseUrl}/product/products/${row.product_id}`,
        },
      },
      productStructureVersionLink: `${baseUrl}/product/structure-versions/${row.product_structure_version_id}`,
    },
    plannedProductionTimes: {
      processing: { runTime: hours(row.run_time) },
      changeover: { setupTime: hours(row.setup_time), cleanupTime: hours(row.cleanup_time) },
    },
    aggregatedProductionTimes: {
      numberOfCompletedProductionWorkOrders: row.number_of_completed_operations,
      processing: {
        averageRunTime: hours(row.average_run_time),
        shortestRunTime: hours(row.shortest_run_time),
        longestRunTime: hours(row.longest_run_time),
        deviationRunTime: hours(row.deviation_run_time),
      },
      changeover: {
        setup: {
          averageSetupTime: hours(row.average_setup_time),
          shortestSetupTime: hours(row.shortest_setup_time),
          longestSetupTime: hours(row.longest_setup_time),
          deviationSetupTime: hours(row.deviation_setup_time),
        },
        cleanup: {
          averageCleanupTime: hours(row.average_cleanup_time),
          shortestCleanupTime: hours(row.shortest_cleanup_time),
          longestCleanupTime: hours(row.longest_cleanup_time),
          deviationCleanupTime: hours(row.deviation_cleanup_time),
        },
      },
    },
  };
}
