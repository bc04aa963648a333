import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

// Mantine requires ten shades; the accent itself comes from tokens.css through the resolver below.
const sea: MantineColorsTuple = [
  '#e2f0f5',
  '#c5e0ea',
  '#9ccbdb',
  '#6fb3c9',
  '#58b8d8',
  '#2f88a6',
  '#0f5e7a',
  '#0f5e7a',
  '#0c4d64',
  '#093c4e',
]

export const mantineTheme = createTheme({
  colors: { sea },
  primaryColor: 'sea',
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  defaultRadius: 6,
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  headings: { fontFamily: 'var(--sans)', fontWeight: '650' },
  focusRing: 'auto',
})

/** Maps Mantine's variables to our tokens in both themes. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--dim)',
    '--mantine-color-placeholder': 'var(--dim)',
    '--mantine-color-error': 'var(--bad)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-disabled': 'var(--sunken)',
    '--mantine-color-disabled-color': 'var(--dim)',
    '--mantine-color-disabled-border': 'var(--line)',
  },
  light: {},
  dark: {},
})
