import { type Static, Type } from 'typebox';
import type { Config } from '../../config/config.ts';
import { linksIn } from '../../entities/brand.ts';
import type { ConsoleFile } from './console-files.ts';

export const BrandView = Type.Object(
  {
    name: Type.String({ examples: ['Acme Travel'] }),
    logo: Type.Optional(Type.String({ description: 'Address of the image', examples: ['/brand/logo.svg'] })),
    color: Type.Optional(Type.String({ description: 'Of buttons and links', examples: ['#1f4e9c'] })),
    support: Type.Optional(Type.String({ description: 'E-mail or https address', examples: ['help@acme.example'] })),
    terms: Type.Optional(Type.String({ examples: ['https://acme.example/terms'] })),
    text: Type.Optional(
      Type.String({ description: 'Where people sign in', examples: ['Sign in with your office account.'] }),
    ),
    links: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ examples: ['Privacy'] }),
          url: Type.String({ examples: ['https://acme.example/privacy'] }),
        }),
      ),
    ),
  },
  { description: 'The name and looks of the product; absent: its own' },
);
export type Brand = Static<typeof BrandView>;

type BrandSettings = Pick<
  Config,
  'brandName' | 'brandLogo' | 'brandColor' | 'brandSupport' | 'brandTerms' | 'brandText' | 'brandLinks'
>;

/** Returns the name and looks of the product by the settings. */
export function brandOf({ brandLogo, ...others }: BrandSettings): Brand {
  const logo = brandLogo && (brandLogo instanceof URL ? brandLogo.href : logoPath(brandLogo));
  return { name: others.brandName, ...looksOf({ ...others, brandLogo: logo }) };
}

/** Returns what is set of a name and looks. */
export function looksOf(
  set: Readonly<Partial<Record<keyof BrandSettings, string | null | undefined>>>,
): Partial<Brand> {
  const { brandName, brandLogo, brandColor, brandSupport, brandTerms, brandText, brandLinks } = set;
  return {
    ...(brandName && { name: brandName }),
    ...(brandLogo && { logo: brandLogo }),
    ...(brandColor && { color: brandColor }),
    ...(brandSupport && { support: brandSupport }),
    ...(brandTerms && { terms: brandTerms }),
    ...(brandText && { text: brandText }),
    ...(brandLinks && { links: linksIn(brandLinks) }),
  };
}

/** The name of the software itself. */
const SOFTWARE = 'orgdesk';

/** Returns whether the settings give the product a name or looks. */
export function isBranded({ name, ...looks }: Brand): boolean {
  return name !== SOFTWARE || Object.keys(looks).length > 0;
}

/** Returns the file of the logo, by its path; none if there is none, or it is elsewhere. */
export function logoFile({ brandLogo }: BrandSettings): [path: string, file: ConsoleFile][] {
  if (!brandLogo || brandLogo instanceof URL) return [];
  return [[logoPath(brandLogo), { type: brandLogo.type, plain: brandLogo.content }]];
}

function logoPath({ ending }: { ending: string }): string {
  return `/brand/logo${ending}`;
}
