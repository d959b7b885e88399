import type { ConsoleConfig } from '../api/types.ts';
import { BASE_PATH } from '../base-path.ts';
import { useProfile } from './use-profile.ts';

type Brand = NonNullable<ConsoleConfig['brand']>;

/** The name of the software itself. */
export const SOFTWARE = 'orgdesk';

/** The name and looks of the product, from its page. */
export const BRAND: Brand = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? '{}');

/** Returns the name and looks of the product: what the company of the signed-in user has set, then that of its page. */
export function useBrand(): Brand {
  return { ...BRAND, ...useProfile().data?.brand };
}

/** Returns the address of a logo: a file of the service is below the path of the console. */
export function logoUrl(logo: string): string {
  return logo.startsWith('/') ? BASE_PATH + logo : logo;
}
