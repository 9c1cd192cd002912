// Fixtures for tests of labels: words of many languages, wheels that show them, and a measure of how they fit.
import { defaultWheel, type WheelDocument } from '../../src/wheel-document/wheel-document.ts'
import { times } from '../scenes/scene.ts'

/** Short and long words, phrases and emoji, as merchants write them. */
export const labels: Record<string, string[]> = {
  en: ['Free coffee', '10 % off', 'Try again', 'One more chance to win', 'A', 'Refrigerator magnets'],
  de: [
    'Überraschungsgeschenk',
    'Gutschein',
    'Donaudampfschifffahrtsgesellschaft',
    'Leider nichts',
    'Weihnachtsgebäck',
  ],
  fr: ['Livraison gratuite', 'Réessaye', 'Un café offert à la boutique', 'Extraordinairement'],
  es: ['Envío gratis', 'Inténtalo otra vez', 'Descuento extraordinario'],
  it: ['Spedizione gratuita', 'Ritenta', 'Un caffè in omaggio', 'Straordinariamente'],
  pt: ['Frete grátis', 'Não foi desta vez', 'Desconto extraordinário'],
  tr: ['Ücretsiz kargo', 'Muvaffakiyetsizleştiriciler', 'Tekrar dene'],
  ar: ['قهوة مجانية', 'حاول مرة أخرى', 'خصم عشرة بالمئة على كل شيء'],
  hi: ['मुफ़्त कॉफ़ी', 'फिर कोशिश करें', 'दस प्रतिशत की छूट'],
  ja: ['コーヒー無料', 'もう一度挑戦', '全商品十パーセント割引クーポン'],
  zh: ['免费咖啡', '再试一次', '全场九折优惠券限今日使用'],
  emoji: ['🎁', '👩‍🚀🚀', '🇩🇪', '🎉🎉🎉', '☕'],
  odd: ['x'.repeat(40), 'Z̴̡͝a̶͓͗l̸̪̈g̷̼̈o̴͈͒', 'عربي in English', '<b>bold</b>', 'W'.repeat(12), '1'],
}

export type Sample = {
  count: number
  words: string[]
  pointer: 'top' | 'right' | 'bottom' | 'left'
  isByWeight: boolean
}

export function wheelWith({ count, words, pointer, isByWeight }: Sample, title: string): WheelDocument {
  return {
    ...defaultWheel,
    fallback: 's0',
    look: { pointer, widths: isByWeight ? 'weight' : 'equal' },
    texts: { en: { title } },
    segments: times(count, (index) => ({
      id: `s${index}`,
      label: words[index % words.length] as string,
      color: '#7c3aed',
      weight: 1 + ((index * 7) % 5),
      ...(index % 4 === 3 ? { icon: '⭐' } : {}),
      prize: { kind: 'none' as const },
    })),
  }
}

/** How far each label's box sticks out of its segment, the rim or the hub, in percent of the wheel's radius. */
export function worstExcess(): { excess: number; label: string; empty: number } {
  const disc = (document.querySelector('iframe') as HTMLIFrameElement).contentDocument as Document
  const worst = { excess: -Infinity, label: '', empty: 0 }
  for (const segment of disc.querySelectorAll<SVGGElement>('#disc svg > g')) {
    const [path, content] = [...segment.children] as [SVGPathElement, SVGGElement]
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (
      /L(\S+) (\S+)A.* 1 (\S+) (\S+)Z/.exec(path.getAttribute('d') ?? '') ?? []
    )
      .slice(1)
      .map(Number)
    const degrees = (x: number, y: number) => ((Math.atan2(x, -y) * 180) / Math.PI + 360) % 360
    const from = degrees(x1, y1)
    const width = (degrees(x2, y2) - from + 360) % 360
    const texts = [...content.querySelectorAll<SVGTextElement>('.label')]
    if (texts.length === 0) worst.empty++
    for (const text of texts) {
      const turn = content.transform.baseVal.consolidate()?.matrix as DOMMatrix
      const place = turn.multiply(text.transform.baseVal.consolidate()?.matrix)
      const box = text.getBBox()
      for (const x of [box.x, box.x + box.width])
        for (const y of [box.y, box.y + box.height]) {
          const corner = new DOMPoint(x, y).matrixTransform(DOMMatrix.fromMatrix(place))
          const radius = Math.hypot(corner.x, corner.y)
          const angle = (degrees(corner.x, corner.y) - from + 360) % 360
          const beyond = Math.min(360 - angle, angle - width)
          const sideways = angle <= width ? 0 : radius * Math.sin((beyond * Math.PI) / 180)
          const excess = Math.max(sideways, radius - 100, 27 - radius)
          if (excess > worst.excess) Object.assign(worst, { excess, label: text.textContent })
        }
    }
  }
  return worst
}
