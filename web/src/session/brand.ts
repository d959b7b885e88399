import type { ConsoleConfig } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';

export type Brand = NonNullable<ConsoleConfig['brand']>;

/** The name of the software itself. */
export const SOFTWARE = 'orgdesk';

/** The name and looks of the product, from its page. */
const BRAND = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? '{}') as Brand;

/** Returns the name and looks of the product. */
export function useBrand(): Brand {
  return BRAND;
}

/** Returns the address of a logo: a file of the service is below the path of the console. */
export function logoUrl(logo: string): string {
  return logo.startsWith('/') ? BASE_PATH + logo : logo;
}
