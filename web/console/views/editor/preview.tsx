/** The real wheel, drawn by the game's own code, with a spin to try. */
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import '../../../game/wheel.css'
import { restAngle } from '../../../game/angle.ts'
import { isColour, textOn } from '../../../game/colour.ts'
import { defaultLook, type Wheel } from '../../../game/published.ts'
import { startReveal, startSpin } from '../../../game/spin.ts'
import { drawBulbs, drawWheel, highlight } from '../../../game/wheel.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../texts.ts'
import { weightTotal } from './change.ts'

export function Preview({ wheel }: { wheel: WheelDocument }) {
  const { look } = shownWheel(wheel)
  const [isTurning, setTurning] = useState(false)
  const [result, setResult] = useState<string | null>(null)
  const angle = useRef(0)
  useEffect(() => {
    drawBulbs()
  }, [])
  useEffect(() => {
    drawWheel(shownWheel(wheel))
    highlight(null)
    setResult(null)
  }, [wheel])

  const spin = async () => {
    const disc = document.getElementById('disc')
    if (disc === null || weightTotal(wheel) === 0) return
    setTurning(true)
    setResult(null)
    highlight(null)
    const segment = drawByWeight(wheel)
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const turn = isCalm
      ? startReveal(disc, { from: angle.current })
      : startSpin(disc, { from: angle.current, direction: look.direction })
    angle.current = restAngle({
      segment,
      chance: Math.random(),
      count: wheel.segments.length,
      pointer: look.pointer,
    })
    await turn.restAt(angle.current)
    highlight(segment)
    setResult(wheel.segments[segment]?.label ?? null)
    setTurning(false)
  }

  const colours = { background: look.background, color: textOn(look.background) }
  const names = { '--accent': look.accent, '--surface': look.surface } as React.CSSProperties
  return (
    <div
      className="preview"
      style={{ ...colours, ...names, padding: '1.25rem' }}
      data-state={isTurning ? 'turning' : 'still'}
    >
      <div
        id="stage"
        role="img"
        aria-label={t('preview.label', { name: wheel.name })}
        style={{ '--size': 'min(100%, 21rem)', margin: '0.75rem auto 0' } as React.CSSProperties}
      >
        <div id="rim" />
        <div id="well">
          <div id="disc" />
        </div>
        <div id="shade" />
        <div id="hub" />
        <div id="arm" data-pointer="top">
          <svg id="pointer" viewBox="0 0 40 56">
            <path d="M20 54C17 44 4 30 4 17a16 14.5 0 0 1 32 0c0 13-13 27-16 37z" className="shape" />
            <circle cx="20" cy="17" r="6" className="pin" />
          </svg>
        </div>
      </div>
      <div
        style={{
          display: 'flex',
          gap: '0.75rem',
          alignItems: 'center',
          justifyContent: 'center',
          minHeight: '2.5rem',
          marginTop: '0.75rem',
        }}
      >
        <Button
          size="xs"
          variant="white"
          color="dark"
          loading={isTurning}
          leftSection={<Icon name="refresh" size={14} />}
          onClick={() => void spin()}
        >
          {t('preview.spin')}
        </Button>
        <span role="status" style={{ fontWeight: 600 }}>
          {result}
        </span>
      </div>
    </div>
  )
}

/** A draft in the shape that the game draws. What is half typed gets a stand-in. */
function shownWheel(wheel: WheelDocument): Wheel {
  const { look = {} } = wheel
  const colour = (value: string | undefined, other: string) => (isColour(value) ? value : other)
  return {
    name: wheel.name,
    fallback: 0,
    texts: {},
    segments: wheel.segments.map((segment) => ({
      label: segment.label,
      colour: colour(segment.color, '#64748b'),
      weight: segment.weight,
      icon: segment.icon ?? null,
      image: segment.image ?? null,
      prize: segment.prize.kind,
      limited: false,
    })),
    look: {
      ...defaultLook,
      merchantName: look.merchantName ?? null,
      logo: look.logo ?? null,
      background: colour(look.background, defaultLook.background),
      surface: colour(look.surface, defaultLook.surface),
      accent: colour(look.accent, defaultLook.accent),
      text: colour(look.text, defaultLook.text),
      pointer: look.pointer ?? defaultLook.pointer,
      direction: look.direction ?? defaultLook.direction,
    },
  }
}

/** Only for looking at: the server's draws are another thing, and are proved. */
function drawByWeight(wheel: WheelDocument): number {
  let ticket = Math.random() * weightTotal(wheel)
  return wheel.segments.findIndex((segment) => (ticket -= segment.weight) < 0)
}
