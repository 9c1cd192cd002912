/** Colours, shapes and defaults of the component library. */
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'
import { t } from './texts.ts'

const brand: MantineColorsTuple = [
  '#f4f2ff',
  '#e6e1ff',
  '#cbc2fd',
  '#ad9efa',
  '#9380f6',
  '#816af3',
  '#6d54ea',
  '#5b43d3',
  '#4d38b5',
  '#3f2e95',
]

/** From the lightest text to the darkest background, slightly bluer than the library's defaults. */
const dark: MantineColorsTuple = [
  '#d5dae5',
  '#b3bbcb',
  '#959fb4',
  '#6c778f',
  '#414a60',
  '#323a4e',
  '#262d3f',
  '#191f2e',
  '#131826',
  '#0c101b',
]

/** Otherwise the head of a dialog counts as the head of the page. */
const plainHeader = { header: { role: 'presentation' } }

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 7 },
  colors: { brand, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '-apple-system, "Segoe UI", Inter, Roboto, "Helvetica Neue", "Liberation Sans", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.6rem' }, h2: { fontSize: '1.15rem' } } },
  components: {
    Paper: { defaultProps: { withBorder: true, radius: 'lg', p: 'lg' } },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        attributes: plainHeader,
      },
    },
    // The colour of an alert has too little contrast for its title.
    Alert: { styles: { label: { color: 'var(--mantine-color-text)' } } },
    Drawer: { defaultProps: { attributes: plainHeader } },
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250 } },
    Table: { defaultProps: { verticalSpacing: 'sm' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600, style: { flexShrink: 0 } },
    },
    // In dialogs and notifications too: without it the close button has no name.
    CloseButton: { defaultProps: { 'aria-label': t('action.close') } },
    ColorInput: { defaultProps: { eyeDropperButtonProps: { 'aria-label': t('action.pickColour') } } },
    Loader: { defaultProps: { type: 'dots' } },
  },
})

const redButtons = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02525' }

/** The library's dimmed texts and red buttons are too pale; WCAG requires a contrast of 4.5. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...redButtons,
    '--mantine-color-dimmed': '#596073',
    '--mantine-color-placeholder': '#6b7283',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-teal-light-color': '#05684a',
    '--mantine-color-orange-light-color': '#9c3a00',
    '--mantine-color-red-light-color': '#a61e1e',
    '--mantine-color-gray-light-color': '#3c4250',
    '--mantine-color-blue-light-color': '#12549e',
    '--mantine-color-brand-light-color': '#3f2e95',
    '--ground': '#f6f6f9',
    '--line': '#e3e5ec',
    '--surface': '#ffffff',
  },
  dark: {
    ...redButtons,
    '--mantine-color-dimmed': '#a0a9bc',
    '--mantine-color-placeholder': '#8f99ae',
    '--mantine-color-anchor': '#ad9efa',
    '--mantine-color-error': '#ff8787',
    '--ground': '#0c101b',
    '--line': '#262d3f',
    '--surface': '#131826',
  },
})
