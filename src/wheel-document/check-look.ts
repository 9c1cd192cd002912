import type { FieldError } from '../refusals.ts'
import { pictureProblem } from './check-picture.ts'
import { soundProblem } from './check-sound.ts'
import { fontNames, soundNames } from './look-choices.ts'
import { themeNames } from './theme-names.ts'
import type { WheelDocument } from './wheel-document.ts'

type Look = NonNullable<WheelDocument['look']>

const choices = { theme: themeNames, font: fontNames, sound: soundNames } as const

/** Every reason why a look can't be published, each with a pointer to the field. */
export function checkLook(look: Look): FieldError[] {
  const problems: Partial<Record<keyof Look, string | null>> = {
    logo: pictureProblem(look.logo),
    picture: pictureProblem(look.picture),
    theme: choiceProblem(look, 'theme'),
    font: choiceProblem(look, 'font'),
    sound: choiceProblem(look, 'sound'),
    tickSound: soundProblem(look.tickSound, { secondsMax: 0.5 }),
    winSound: soundProblem(look.winSound, { secondsMax: 6 }),
  }
  return Object.entries(problems).flatMap(([name, detail]) =>
    detail === null ? [] : [{ pointer: `/look/${name}`, detail }],
  )
}

function choiceProblem(look: Look, field: keyof typeof choices): string | null {
  const [name, names] = [look[field], choices[field] as readonly string[]]
  return name === undefined || names.includes(name) ? null : `is none of the ${field}s ${names.join(', ')}`
}
