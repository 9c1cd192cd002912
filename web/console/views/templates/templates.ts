/** Wheels to start from. Only data: texts are in `phrases`, colours come from the theme. */
import type { ThemeName } from '../../../../src/wheel-document/theme-names.ts'
import type { WheelSegment } from '../../../../src/wheel-document/wheel-document.ts'
import type { Phrase } from './phrases.ts'

export const templateNames = ['shop', 'cafe', 'event', 'launch', 'holiday', 'club'] as const
export type TemplateName = (typeof templateNames)[number]

/** The texts of a segment, as phrases. `values` fill their placeholders. */
export type SegmentText = {
  label: Phrase
  title?: Phrase
  instructions?: Phrase
  values?: Record<string, number>
}
type Limit = 'stock' | 'stockPerDay' | 'limitPerPlayer' | 'claimWithinSeconds'
type TemplateSegment = Pick<WheelSegment, 'id' | 'weight' | 'prize'> &
  Partial<Pick<WheelSegment, 'icon' | 'cost' | Limit>> & { text: SegmentText }

/** Half of the plays or fewer win a prize with a cost. The stocks are examples to change. */
type Template = { theme: ThemeName; segments: readonly TemplateSegment[] }

export const fallbackId = 'try-again'

const tryAgain = { id: fallbackId, text: { label: 'tryAgain' }, weight: 25, prize: { kind: 'none' } } as const
const soClose = { id: 'so-close', text: { label: 'soClose' }, weight: 15, prize: { kind: 'none' } } as const
const nextTime = {
  id: 'next-time',
  text: { label: 'nextTime' },
  weight: 15,
  prize: { kind: 'none' },
} as const
const oneSpin: TemplateSegment = {
  id: 'one-spin',
  text: { label: 'spin.label', title: 'spin.title' },
  icon: '⭐',
  weight: 15,
  prize: { kind: 'spins', spins: 1 },
}
const monthSeconds = 30 * 86_400

/** A discount with a code that is the same for everyone. */
function discount(
  percent: number,
  code: string,
  rules: Pick<TemplateSegment, 'weight' | 'cost' | Limit>,
): TemplateSegment {
  const values = { percent }
  return {
    id: `off-${percent}`,
    text: { label: 'off.label', title: 'off.title', instructions: 'off.instructions', values },
    icon: '🏷️',
    prize: { kind: 'fixed', code },
    ...rules,
  }
}

type Treat = 'coffee' | 'cake' | 'sweets' | 'drink'
type Gift = 'stickers' | 'bag' | 'shirt' | 'main' | 'product' | 'giftCard' | 'wrapping'
type FanGift = 'tickets' | 'scarf' | 'ball'

/** Something that staff hand over, within a month. */
function thing(
  name: Treat | Gift | FanGift,
  rules: Omit<TemplateSegment, 'id' | 'text' | 'prize'>,
  instructions: Phrase = 'staff',
): TemplateSegment {
  return {
    id: name === 'giftCard' ? 'gift-card' : name,
    text: { label: `${name}.label`, title: `${name}.title`, instructions },
    prize: { kind: 'handover' },
    claimWithinSeconds: monthSeconds,
    ...rules,
  }
}

/** A prize with its own label and title. */
function special(
  name: 'shipping' | 'early',
  instructions: Phrase,
  rules: Omit<TemplateSegment, 'text'>,
): TemplateSegment {
  return { text: { label: `${name}.label`, title: `${name}.title`, instructions }, ...rules }
}

function points(count: number, weight: number): TemplateSegment {
  const text: SegmentText = { label: 'points.label', title: 'points.title', values: { points: count } }
  return { id: `points-${count}`, text, icon: '💎', weight, prize: { kind: 'points', points: count } }
}

export const templates: Record<TemplateName, Template> = {
  shop: {
    theme: 'light',
    segments: [
      discount(5, 'SPIN5', { weight: 20, cost: 2 }),
      tryAgain,
      discount(10, 'SPIN10', { weight: 12, cost: 4 }),
      oneSpin,
      special('shipping', 'off.instructions', {
        id: 'free-shipping',
        icon: '📦',
        weight: 10,
        prize: { kind: 'fixed', code: 'SHIPFREE' },
        cost: 5,
      }),
      soClose,
      discount(20, 'SPIN20', { weight: 3, cost: 8, stock: 100, limitPerPlayer: 1 }),
    ],
  },
  cafe: {
    theme: 'cafe',
    segments: [
      thing('coffee', { icon: '☕', weight: 12, stockPerDay: 20, cost: 0.8 }, 'counter'),
      tryAgain,
      points(50, 20),
      oneSpin,
      thing(
        'cake',
        {
          icon: '🍰',

          weight: 4,
          stockPerDay: 5,
          limitPerPlayer: 2,
          cost: 1.5,
        },
        'counter',
      ),
      nextTime,
      points(200, 3),
    ],
  },
  event: {
    theme: 'playful',
    segments: [
      thing('stickers', { icon: '✨', weight: 35, stock: 500, cost: 0.3 }),
      tryAgain,
      thing('bag', { icon: '👜', weight: 12, stock: 100, limitPerPlayer: 1, cost: 3 }),
      soClose,
      thing('shirt', { icon: '👕', weight: 5, stock: 40, limitPerPlayer: 1, cost: 8 }),
      nextTime,
      thing('main', { icon: '🏆', weight: 1, stock: 3, stockPerDay: 1, limitPerPlayer: 1, cost: 150 }),
    ],
  },
  launch: {
    theme: 'dark',
    segments: [
      discount(15, 'LAUNCH15', { weight: 20, cost: 6 }),
      tryAgain,
      special('early', 'early.instructions', {
        id: 'early-access',
        icon: '🚀',
        weight: 10,
        prize: { kind: 'link', url: 'https://example.com/early-access' },
        stock: 200,
        limitPerPlayer: 1,
      }),
      oneSpin,
      points(100, 15),
      soClose,
      thing('product', { icon: '🎁', weight: 1, stock: 5, stockPerDay: 1, limitPerPlayer: 1, cost: 60 }),
    ],
  },
  holiday: {
    theme: 'winter',
    segments: [
      thing('sweets', { icon: '🍬', weight: 25, stock: 300, cost: 0.5 }),
      tryAgain,
      discount(10, 'HOLIDAY10', { weight: 15, cost: 4 }),
      oneSpin,
      thing('wrapping', { icon: '🎀', weight: 12, cost: 1 }),
      nextTime,
      thing('giftCard', { icon: '🎁', weight: 2, stock: 20, limitPerPlayer: 1, cost: 25 }),
    ],
  },
  club: {
    theme: 'sport',
    segments: [
      thing('drink', { icon: '🥤', weight: 18, stockPerDay: 50, cost: 1 }),
      tryAgain,
      discount(10, 'FAN10', { weight: 15, cost: 4 }),
      oneSpin,
      thing('scarf', { icon: '🧣', weight: 5, stock: 50, limitPerPlayer: 1, cost: 7 }),
      soClose,
      thing('tickets', { icon: '🎟️', weight: 2, stock: 20, limitPerPlayer: 1, cost: 30 }),
      nextTime,
      thing('ball', { icon: '⚽', weight: 1, stock: 3, limitPerPlayer: 1, cost: 40 }),
    ],
  },
}

/** The segments of an empty wheel: prizes, and what is given when they have run out. */
export const emptySegments: readonly (TemplateSegment & Pick<WheelSegment, 'color'>)[] = [
  {
    id: 'first-prize',
    text: { label: 'main.label' },
    icon: '🎁',
    weight: 10,
    prize: { kind: 'handover' },
    color: '#7c3aed',
  },
  { ...tryAgain, weight: 45, color: '#334155' },
  { ...oneSpin, weight: 20, color: '#db2777' },
  { ...soClose, weight: 25, color: '#475569' },
]

/** The codes and links of the templates, which work in no shop. */
export const examplePrizes: ReadonlySet<string> = new Set(
  Object.values(templates).flatMap(({ segments }) =>
    segments.flatMap(({ prize }) => [prize.code ?? [], prize.url ?? []].flat()),
  ),
)
