/** Applies the merchant's look. Texts stay readable with any colours: contrast takes precedence. */
import { contrast, isDark, mix, readableOn, textOn } from './colour.ts'
import { byId } from './dom.ts'
import { preferredTags, t } from './i18n.ts'
import { type Look, type OwnText, type Wheel } from './published.ts'

export function applyLook(wheel: Wheel): void {
  const { look } = wheel
  applyColours(look)
  const logo = byId('logo') as HTMLImageElement
  logo.hidden = look.logo === null
  if (look.logo !== null) logo.src = look.logo
  byId('merchant').textContent = look.merchantName ?? ''
  document.title = ownText(wheel, 'title') ?? t('page.title')
  byId('title').textContent = document.title
  byId('subtitle').textContent = ownText(wheel, 'subtitle') ?? t('page.subtitle')
}

/** The merchant's own text in the player's language, or null. */
export function ownText(wheel: Wheel, name: OwnText): string | null {
  const texts = preferredTags().map((tag) => wheel.texts[tag]?.[name])
  return texts.find((text): text is string => typeof text === 'string' && text.trim() !== '') ?? null
}

function applyColours({ background, surface, accent, text }: Look): void {
  const root = document.documentElement
  const onBackground = readableOn(text, background)
  const onSurface = readableOn(text, surface)
  const colours = {
    background,
    surface,
    accent,
    'on-accent': textOn(accent),
    'on-background': onBackground,
    'on-surface': onSurface,
    'muted-on-background': readableOn(mix(onBackground, background, 0.75), background),
    'muted-on-surface': readableOn(mix(onSurface, surface, 0.75), surface),
    // For the focus ring; WCAG requires a contrast of 3.
    focus: contrast(accent, background) >= 3 ? accent : onBackground,
  }
  for (const [name, colour] of Object.entries(colours)) root.style.setProperty(`--${name}`, colour)
  root.style.colorScheme = isDark(background) ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', background)
}
