import { MantineProvider } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { logoUrl, useBrand } from '../session/brand.ts';
import { cssVariablesOf, themeOf } from '../theme.ts';

/** Returns the nonce of the page's content security policy, for the style elements that Mantine creates. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
}

/** Shows everything in the colour of the product, and its logo as the icon of the tab. */
export function Branded({ children }: { children: ReactNode }) {
  const { color, logo } = useBrand();
  const looks = useMemo(() => ({ theme: themeOf(color), cssVariablesResolver: cssVariablesOf(color) }), [color]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = logoUrl(logo ?? '/favicon.svg');
  }, [logo]);
  return (
    <MantineProvider {...looks} defaultColorScheme="auto" getStyleNonce={styleNonce}>
      {children}
    </MantineProvider>
  );
}
