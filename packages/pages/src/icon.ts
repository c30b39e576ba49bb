/** A browser asks for an icon of its own accord; this one costs no request. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b5cad'/%3E%3Cpath d='M3 8h10M8 4v8' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";
