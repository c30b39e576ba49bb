/** A kind of operation in the invented factories. */
export interface OperationKind {
  readonly name: string;
  /** Usual planned run time of one operation, in hours. */
  readonly runTimeHours: number;
  /** Usual planned setup time in hours; 0 if the operation has no setup. */
  readonly setupTimeHours: number;
  readonly cleanupTimeHours: number;
}

export const PRODUCTS = [
  'Gear Housing',
  'Pump Cover',
  'Drive Shaft',
  'Valve Body',
  'Bearing Cap',
  'Mounting Bracket',
  'Hinge Plate',
  'Coupling Half',
  'Cable Drum',
  'Winch Frame',
  'Rotor Hub',
  'Guide Rail',
  'Motor Foot',
  'Filter Bowl',
  'Nozzle Ring',
  'Piston Rod',
  'Control Cabinet',
  'Impeller',
  'Heat Exchanger Plate',
  'Brake Disc',
  'Lifting Eye',
  'Cylinder Liner',
  'Clamp Jaw',
  'Sensor Holder',
] as const;

export const SIZES = [
  '40',
  '50',
  '63',
  '80',
  '100',
  '125',
  '160',
  '200',
  '250',
  '315',
  '400',
  '500',
] as const;

/** The kinds of operations, in the order in which a work order passes through them. */
export const OPERATIONS: readonly OperationKind[] = [
  { name: 'Sawing', runTimeHours: 0.3, setupTimeHours: 0.1, cleanupTimeHours: 0.05 },
  { name: 'Laser Cutting', runTimeHours: 0.6, setupTimeHours: 0.25, cleanupTimeHours: 0.1 },
  { name: 'Bending', runTimeHours: 0.5, setupTimeHours: 0.35, cleanupTimeHours: 0 },
  { name: 'Turning', runTimeHours: 1.4, setupTimeHours: 0.75, cleanupTimeHours: 0.25 },
  { name: 'Milling', runTimeHours: 2.1, setupTimeHours: 1, cleanupTimeHours: 0.25 },
  { name: 'Drilling', runTimeHours: 0.7, setupTimeHours: 0.3, cleanupTimeHours: 0.1 },
  { name: 'Deburring', runTimeHours: 0.4, setupTimeHours: 0, cleanupTimeHours: 0 },
  { name: 'Heat Treatment', runTimeHours: 5.5, setupTimeHours: 0.5, cleanupTimeHours: 0.5 },
  { name: 'Grinding', runTimeHours: 1.2, setupTimeHours: 0.6, cleanupTimeHours: 0.2 },
  { name: 'Welding', runTimeHours: 1.8, setupTimeHours: 0.4, cleanupTimeHours: 0.3 },
  { name: 'Painting', runTimeHours: 0.9, setupTimeHours: 0.5, cleanupTimeHours: 0.75 },
  { name: 'Assembly', runTimeHours: 1.6, setupTimeHours: 0.2, cleanupTimeHours: 0 },
  { name: 'Final Inspection', runTimeHours: 0.35, setupTimeHours: 0, cleanupTimeHours: 0 },
  { name: 'Packing', runTimeHours: 0.2, setupTimeHours: 0, cleanupTimeHours: 0 },
];

export const APPLICATIONS = [
  'Work Order Board',
  'Production Time Chart',
  'Shift Calendar',
  'Product Tree',
  'Machine Status',
  'Scrap Report',
] as const;

/** Persons who wrote the invented applications, with their permissions. */
export const PERSONS = [
  { firstName: 'Kari', name: 'Nordmann' },
  { firstName: 'Erik', name: 'Svensson' },
  { firstName: 'Anna', name: 'Kowalska' },
] as const;
export const PERMISSIONS = ['Production', 'Planning'] as const;

/** Keys of the domains Product.Status and Product.Type. The usual key comes first. */
export const PRODUCT_STATUSES = [4, 2, 3, 5, 6, 7, 9] as const;
export const PRODUCT_TYPES = ['K', 'KA', 'KS', 'KM', 'P'] as const;
/** Keys of the domain ProductStructureVersion.Status. */
export const STRUCTURE_VERSION_STATUSES = [4, 1, 9] as const;
