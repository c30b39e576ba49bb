/** The seventeen fields of the specification by which production times are filtered and sorted, with their columns. */
export const productionTimeFields = {
  AverageCleanupTime: 'average_cleanup_time',
  AverageRunTime: 'average_run_time',
  AverageSetupTime: 'average_setup_time',
  CleanupTime: 'cleanup_time',
  DeviationCleanupTime: 'deviation_cleanup_time',
  DeviationRunTime: 'deviation_run_time',
  DeviationSetupTime: 'deviation_setup_time',
  LongestCleanupTime: 'longest_cleanup_time',
  LongestRunTime: 'longest_run_time',
  LongestSetupTime: 'longest_setup_time',
  NumberOfCompletedProductionWorkOrders: 'number_of_completed_operations',
  ProductName: 'product_name',
  RunTime: 'run_time',
  SetupTime: 'setup_time',
  ShortestCleanupTime: 'shortest_cleanup_time',
  ShortestRunTime: 'shortest_run_time',
  ShortestSetupTime: 'shortest_setup_time',
} as const;

export type ProductionTimeField = keyof typeof productionTimeFields;

/** The six of error messages, with their columns. */
export const errorMessageFields = {
  CreatedBy: 'created_by',
  ErrorMessageId: 'error_message_id',
  HttpStatusCode: 'http_status_code',
  Message: 'message',
  Namespace: 'namespace',
  Status: 'status',
} as const;
