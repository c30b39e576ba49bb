import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { COMPANY, openImportFixture } from './import-fixture.js';

/** Exports as ERPs write them, each with its mapping and the operations that Takt must store: key, structure version, end, run and setup hours. */
const exports: readonly {
  readonly name: string;
  readonly file: string;
  readonly mapping: string;
  readonly operations: readonly (readonly unknown[])[];
  readonly counts?: Readonly<Record<string, number>>;
}[] = [
  {
    name: 'SAP: confirmations with a unit by row, a minus at the end, cancelled ones, date and time apart, and a sum',
    file: [
      'Rückmeldungen\t\t\t\t\t\t\t\t\t',
      '\t\t\t\t\t\t\t\t\t',
      'Auftrag\tVorgang\tMaterial\tStorniert\tIstende Datum\tIstende Zeit\tRüsten\tEinheit\tMaschine\tEinheit',
      '1000012\t0010\tT-100\t\t12.03.2026\t06:30:00\t30\tMIN\t1,250\tSTD',
      '1000012\t0010\tT-100\t\t12.03.2026\t14:00:00\t\tMIN\t90,000\tMIN',
      '1000012\t0020\tT-100\tX\t12.03.2026\t15:00:00\t10\tMIN\t900,000\tMIN',
      '1000012\t0020\tT-100\t\t12.03.2026\t16:00:00\t10\tMIN\t2,000\tSTD',
      '1000013\t0010\tT-200\t\t13.03.2026\t08:00:00\t5\tMIN\t60,000\tMIN',
      '1000013\t0010\tT-200\t\t13.03.2026\t09:00:00\t\tMIN\t15,000-\tMIN',
      'Summe\t\t\t\t\t\t45\tMIN\t1.140,250\tMIN',
    ].join('\r\n'),
    mapping: `
what: operations
where: {Storniert: {not: X}, Vorgang: {filled: true}}
combine: sum
columns:
  workOrderOperationKey: '{Auftrag}/{Vorgang}'
  workOrderKey: Auftrag
  productStructureVersionKey: '{Material}.{Vorgang}'
  completedAt: {date: Istende Datum, time: Istende Zeit, zone: Europe/Berlin}
  setupTime: {column: Rüsten, unit: {column: Einheit (1), map: {MIN: min, STD: h}}}
  runTime: {column: Maschine, unit: {column: Einheit (2), map: {MIN: min, STD: h}}}`,
    operations: [
      ['1000012/0010', 'T-100.0010', '2026-03-12T13:00:00.000Z', 2.75, 0.5],
      ['1000012/0020', 'T-100.0020', '2026-03-12T15:00:00.000Z', 2, 0.166667],
      ['1000013/0010', 'T-200.0010', '2026-03-13T08:00:00.000Z', 0.75, 0.083333],
    ],
    counts: { leftOut: 2 },
  },
  {
    name: 'ERPNext: job cards, whose time logs leave the columns of the job card blank',
    file: [
      '"ID","Work Order","Production Item","Operation","Status","From Time (Time Logs)","To Time (Time Logs)"',
      '"PO-JOB00001","MFG-WO-2026-00001","BRACKET","Cutting","Completed","2026-03-02 08:00:00.000000","2026-03-02 09:00:00.000000"',
      '"","","","","","2026-03-02 10:00:00.000000","2026-03-02 10:30:00.000000"',
      '"PO-JOB00002","MFG-WO-2026-00001","BRACKET","Welding","Work In Progress","2026-03-02 11:00:00.000000",""',
      '"PO-JOB00003","MFG-WO-2026-00002","BRACKET","Cutting","Completed","2026-03-03 08:00:00.000000","2026-03-03 08:15:00.000000"',
    ].join('\n'),
    mapping: `
what: operations
file: {fill: [ID, Work Order, Production Item, Operation, Status]}
where: {Status: Completed}
combine: sum
columns:
  workOrderOperationKey: ID
  workOrderKey: Work Order
  productStructureVersionKey: '{Production Item}.{Operation}'
  completedAt: {column: To Time (Time Logs), zone: Asia/Kolkata}
  runTime: {from: From Time (Time Logs), to: To Time (Time Logs)}`,
    operations: [
      ['PO-JOB00001', 'BRACKET.Cutting', '2026-03-02T05:00:00.000Z', 1.5, null],
      ['PO-JOB00003', 'BRACKET.Cutting', '2026-03-03T02:45:00.000Z', 0.25, null],
    ],
    counts: { leftOut: 1 },
  },
  {
    name: 'Odoo: a grouped list of work orders, with a line and sums for each group',
    file: [
      'Manufacturing Order,Operation,Product,Status,End,Real Duration',
      'WH/MO/00007 (2),,,,,185.5',
      'WH/MO/00007,Assembly,[FURN] Table,Finished,2026-03-04 10:15:00,125.25',
      'WH/MO/00007,Testing,[FURN] Table,Finished,2026-03-04 12:00:00,60.25',
      'WH/MO/00008 (1),,,,,0.0',
      'WH/MO/00008,Assembly,[FURN] Table,Ready,,0.0',
    ].join('\n'),
    mapping: `
what: operations
where: {Status: Finished}
columns:
  workOrderOperationKey: '{Manufacturing Order}/{Operation}'
  workOrderKey: Manufacturing Order
  productStructureVersionKey: '{Product}.{Operation}'
  completedAt: {column: End, zone: UTC}
  runTime: {column: Real Duration, unit: min}`,
    operations: [
      ['WH/MO/00007/Assembly', '[FURN] Table.Assembly', '2026-03-04T10:15:00.000Z', 2.0875, null],
      ['WH/MO/00007/Testing', '[FURN] Table.Testing', '2026-03-04T12:00:00.000Z', 1.004167, null],
    ],
    counts: { leftOut: 3 },
  },
  {
    name: 'Business Central: capacity ledger entries with a unit by row',
    file: [
      '"Posting Date";"Document No.";"Operation No.";"Item No.";"Setup Time";"Run Time";"Cap. Unit of Measure Code"',
      '"3/14/2026";"RPO101";"10";"1000";"15";"60";"MINUTES"',
      '"3/15/2026";"RPO101";"10";"1000";"0";"1.5";"HOURS"',
      '"3/15/2026";"RPO101";"20";"1000";"0";"30";"MINUTES"',
    ].join('\r\n'),
    mapping: `
what: operations
combine: sum
columns:
  workOrderOperationKey: '{Document No.}/{Operation No.}'
  workOrderKey: Document No.
  productStructureVersionKey: '{Item No.}.{Operation No.}'
  completedAt: {column: Posting Date, zone: America/Chicago}
  setupTime: {column: Setup Time, unit: {column: Cap. Unit of Measure Code, map: {MINUTES: min, HOURS: h}}}
  runTime: {column: Run Time, unit: {column: Cap. Unit of Measure Code, map: {MINUTES: min, HOURS: h}}}`,
    operations: [
      ['RPO101/10', '1000.10', '2026-03-15T05:00:00.000Z', 2.5, 0.25],
      ['RPO101/20', '1000.20', '2026-03-15T05:00:00.000Z', 0.5, 0],
    ],
  },
  {
    name: 'Epicor: labor details, of production or setup, and an operation that is not complete',
    file: [
      'JobNum,AssemblySeq,OprSeq,PartNum,LaborType,LaborHrs,ClockOut,Complete',
      '002130,0,10,DC-1,S,0.50,2026-03-05T08:30:00-06:00,False',
      '002130,0,10,DC-1,P,1.25,2026-03-05T10:00:00-06:00,False',
      '002130,0,10,DC-1,P,2.00,2026-03-06T10:00:00-06:00,True',
      '002130,0,20,DC-1,P,3.00,2026-03-06T14:00:00-06:00,False',
      ',,,,I,1.00,2026-03-06T15:00:00-06:00,False',
    ].join('\n'),
    mapping: `
what: operations
where: {LaborType: [S, P]}
combine: sum
columns:
  workOrderOperationKey: '{JobNum}/{AssemblySeq}/{OprSeq}'
  workOrderKey: JobNum
  productStructureVersionKey: '{PartNum}.{OprSeq}'
  completedAt: {column: ClockOut, where: {Complete: 'True'}}
  runTime: {column: LaborHrs, unit: h, where: {LaborType: P}}
  setupTime: {column: LaborHrs, unit: h, where: {LaborType: S}}`,
    operations: [['002130/0/10', 'DC-1.10', '2026-03-06T16:00:00.000Z', 3.25, 0.5]],
    counts: { leftOut: 1, open: 1 },
  },
  {
    name: 'the event log of a process: rows of start and completion, also interrupted',
    file: [
      'case,activity,product,lifecycle,timestamp',
      'c1,mill,A,start,2026-03-01T08:00:00Z',
      'c1,mill,A,complete,2026-03-01T09:00:00Z',
      'c1,mill,A,start,2026-03-01T10:00:00Z',
      'c1,mill,A,complete,2026-03-01T10:30:00Z',
      'c2,mill,A,start,2026-03-01T11:00:00Z',
    ].join('\n'),
    mapping: `
what: operations
combine: sum
columns:
  workOrderOperationKey: '{case}/{activity}'
  productStructureVersionKey: '{product}.{activity}'
  completedAt: {column: timestamp, where: {lifecycle: complete}}
  runTime:
    from: {column: timestamp, where: {lifecycle: start}}
    to: {column: timestamp, where: {lifecycle: complete}}`,
    operations: [['c1/mill', 'A.mill', '2026-03-01T10:30:00.000Z', 1.5, null]],
    counts: { open: 1 },
  },
];

describe('an export of', () => {
  const test = openedForEach(openImportFixture);

  for (const { name, file, mapping, operations, counts = {} } of exports) {
    it(name, async () => {
      const preview = await test.import(file, mapping);
      expect(preview).to.include({ faulty: 0, new: operations.length, leftOut: 0, open: 0, ...counts });
      const { rows } = await test.database.pool.query({
        text: `SELECT work_order_operation_key, product_structure_version_key, ledger.changed_at, ledger.run_time::float8,
                 ledger.setup_time::float8
               FROM takt.work_order_operations ledger JOIN takt.companies USING (company_id)
               JOIN takt.product_structure_versions USING (company_id, product_structure_version_id)
               WHERE code = $1 ORDER BY 1`,
        values: [COMPANY],
        rowMode: 'array',
      });
      expect(
        rows.map(([key, version, at, ...times]) => [key, version, at.toISOString(), ...times]),
      ).to.deep.equal(operations);
      expect((await test.import(file, mapping)).unchanged).to.equal(operations.length);
    });
  }

  const wrong: readonly (readonly [string, string, string, RegExp])[] = [
    ['two lines of one operation', 'A,1,60\nA,1,30', '', /^occurs in several lines.*lines 2, 3/],
    ['a total below zero', 'A,1,60\nA,1,-90', 'combine: sum', /^has less than no time/],
    ['lines that cancel each other', 'A,1,60\nA,1,-60', 'combine: sum', /^is cancelled by its own lines/],
    ['a sum under blank names', 'A,1,60\n,,60', 'file: {fill: [O, V]}\ncombine: sum', /^is blank/],
    ['lines with different structure versions', 'A,1,60\nA,2,60', 'combine: sum', /^has different values/],
  ];
  for (const [name, lines, more, rule] of wrong) {
    it(`${name} is refused`, async () => {
      const rules: string[] = [];
      const mapping = `
what: operations
${more}
columns: {workOrderOperationKey: O, productStructureVersionKey: V, completedAt: D, runTime: {column: T, unit: min}}`;
      const file = `O,V,T,D\n${lines.replaceAll(/^(?!,).*$/gm, '$&,2026-01-01')}\n`;
      const { number } = await test.import(file, mapping, {
        onFaulty: async (rows) => void rules.push(...rows.map((row) => row.rule)),
      });
      expect([number, rules.length]).to.deep.equal([undefined, 2]);
      expect(rules[0]).to.match(rule);
    });
  }

  it('lines without a name are not left out of sums', async () => {
    const mapping = `
what: operations
combine: sum
columns: {workOrderOperationKey: '{O}/{S}', productStructureVersionKey: O, completedAt: D, runTime: {column: T, unit: min}}`;
    const file = 'O,S,T,D\nA,1,10,2026-01-01\nA,,5,2026-01-01\n';
    const preview = await test.import(file, mapping, { skipsFaulty: true });
    expect([preview.number, preview.unnamed, preview.faulty]).to.deep.equal([undefined, 1, 1]);
  });

  it('several lines of one operation can be read as its newest', async () => {
    const mapping = `
what: operations
combine: last
columns: {workOrderOperationKey: O, productStructureVersionKey: V, completedAt: D, runTime: {column: T, unit: min}}`;
    await test.import('O,V,T,D\nA,1,60,2026-01-02\nA,2,30,2026-01-01\n', mapping);
    const { rows } = await test.database.pool.query(
      'SELECT run_time::float8 AS run FROM takt.work_order_operations',
    );
    expect(rows).to.deep.equal([{ run: 1 }]);
  });
});
