import {
  Badge,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

const THEME = createTheme({
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

/** Returns a colour mixed with another, in a share from 0 to 1. */
function mixed(color: string, other: string, share: number): string {
  const part = (from: string, start: number) => Number.parseInt(from.slice(start, start + 2), 16);
  const parts = [1, 3, 5].map((start) => Math.round(part(color, start) * (1 - share) + part(other, start) * share));
  return `#${parts.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

const [WHITE, BLACK] = ['#ffffff', '#000000'];
/** Shares of white in the lighter shades of a colour. */
const TINTS = [0.95, 0.88, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1, 0] as const;

/** Returns the theme, with buttons of a colour on which white texts can be read. @param color absent: indigo */
export function themeOf(color: string | undefined): MantineThemeOverride {
  if (color === undefined) return THEME;
  const tints = TINTS.map((share) => mixed(color, WHITE, share));
  const shades = [...tints, mixed(color, BLACK, 0.15)] as unknown as MantineColorsTuple;
  return { ...THEME, colors: { indigo: shades } };
}

/** Returns the variables of the theme in a colour: its texts are darker on light grounds, and light on dark ones. */
export function cssVariablesOf(color: string | undefined): CSSVariablesResolver {
  if (color === undefined) return cssVariables;
  const tones = (text: string, accent: string, [hover, chosen]: [string, string]) => ({
    '--accent': accent,
    '--bar': accent,
    '--accent-text': text,
    '--hover': hover,
    '--chosen': chosen,
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-indigo-text': text,
    '--mantine-color-indigo-outline': text,
    '--mantine-color-indigo-light-color': text,
  });
  return (theme) => {
    const { variables, light, dark } = cssVariables(theme);
    const onLight = tones(mixed(color, BLACK, 0.25), color, [mixed(color, WHITE, 0.94), mixed(color, WHITE, 0.9)]);
    const grounds: [string, string] = [mixed('#22252a', color, 0.12), mixed('#22252a', color, 0.2)];
    const onDark = tones(mixed(color, WHITE, 0.75), mixed(color, WHITE, 0.5), grounds);
    return { variables, light: { ...light, ...onLight }, dark: { ...dark, ...onDark } };
  };
}

/**
 * Overrides Mantine's text colours with too little contrast (WCAG 2.2, 1.4.3), and its greys that are too close to
 * the console's backgrounds.
 */
const cssVariables: CSSVariablesResolver = () => ({
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
