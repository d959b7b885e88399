import type { Position } from '../../src/features/geography/records.ts';

const KILOMETRES_OF_A_DEGREE = 111.195;

/** Returns the kilometres between two positions, on the flat: exact enough for some hundred. Infinity where one is unknown. */
export function kilometres(one: Position, other: Position): number {
  if (one.latitude === null || one.longitude === null || other.latitude === null || other.longitude === null) {
    return Number.POSITIVE_INFINITY;
  }
  const north = (other.latitude - one.latitude) / 1e7;
  const shrink = Math.cos((((one.latitude + other.latitude) / 2e7) * Math.PI) / 180);
  // Across the date line the short way.
  const east = (((((other.longitude - one.longitude) / 1e7 + 540) % 360) + 360) % 360) - 180;
  return KILOMETRES_OF_A_DEGREE * Math.hypot(east * shrink, north);
}
