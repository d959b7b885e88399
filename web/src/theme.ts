import { Badge, type CSSVariablesResolver, createTheme, Input } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none', variant: 'light', miw: 'max-content' } }),
    // The description goes below the input: above it, neighbouring inputs would not align.
    InputWrapper: Input.Wrapper.extend({
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    }),
  },
});

/**
 * Overrides Mantine's text colours with too little contrast (WCAG 2.2, 1.4.3), and its greys that are too close to
 * the console's backgrounds.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4f5962',
    '--mantine-color-placeholder': '#66707a',
    '--mantine-color-error': '#c02222',
    '--mantine-color-indigo-light-color': '#2f47b2',
    '--mantine-color-gray-light': '#e4e8ee',
    '--mantine-color-gray-light-color': '#495057',
    '--mantine-color-green-light-color': '#1f6b31',
    '--mantine-color-red-light-color': '#b02020',
    '--mantine-color-yellow-light-color': '#744a00',
  },
  dark: {
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-dimmed': '#a9afb6',
    '--mantine-color-placeholder': '#9aa1a9',
    '--mantine-color-error': '#ff9d9d',
    '--mantine-color-indigo-light-color': '#bac8ff',
    '--mantine-color-gray-light': '#353a42',
    '--mantine-color-red-light-color': '#ffb3b3',
  },
});
