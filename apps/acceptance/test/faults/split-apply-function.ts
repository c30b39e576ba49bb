import type pg from 'pg';

export const TAKE_INTO_LEDGER = 'takt.take_into_ledger';
export const ADD_TO_FIGURES = 'takt.add_to_figures';

/** Where the function is done with the ledger and turns to the figures. */
const SEAM = "-- The figures' rows: made where missing, then locked in key order.";

/** Makes two functions of the one that takes events in: its text up to the figures, and the rest. */
export async function splitApplyFunction(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ body: string }>(
    `SELECT prosrc AS body FROM pg_proc
     WHERE oid = 'takt.apply_work_order_operation_events(json)'::regprocedure`,
  );
  const [ofLedger, ofFigures, ...others] = (rows[0]?.body ?? '').split(SEAM);
  if (ofLedger === undefined || ofFigures === undefined || others.length > 0) {
    throw new Error(`apply_work_order_operation_events does not contain exactly once: ${SEAM}`);
  }
  await pool.query(`
    CREATE FUNCTION ${TAKE_INTO_LEDGER}(events json)
    RETURNS TABLE (taken_changes takt.production_time_change[], taken_applied integer[])
    LANGUAGE plpgsql AS $$ ${ofLedger} RETURN QUERY SELECT changes, applied; END $$;

    CREATE FUNCTION ${ADD_TO_FIGURES}(events json, changes takt.production_time_change[], applied integer[])
    RETURNS TABLE ("position" integer, outcome text)
    LANGUAGE plpgsql AS $$ #variable_conflict use_column
    BEGIN ${ofFigures} $$;

    GRANT EXECUTE ON FUNCTION ${TAKE_INTO_LEDGER}(json),
      ${ADD_TO_FIGURES}(json, takt.production_time_change[], integer[]) TO takt_worker`);
}
