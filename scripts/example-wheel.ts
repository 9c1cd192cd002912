import type { WheelDocument } from '../src/wheel-document/wheel-document.ts'

/** The wheel of the screenshots. It draws only the first segment, so that the screenshot of a win shows one. */
export function exampleWheel(pictures: {
  gift: string
  cup: string
  cake: string
  star: string
}): WheelDocument {
  const none = { weight: 0, prize: { kind: 'none' as const } }
  const handover = { weight: 0, prize: { kind: 'handover' as const } }
  return {
    name: 'Summer',
    timeZone: 'UTC',
    fallback: 'nothing',
    look: { merchantName: 'Corner Café' },
    segments: [
      {
        id: 'ten',
        label: '10 % off',
        color: '#6d3ef0',
        image: pictures.gift,
        weight: 40,
        prize: { kind: 'fixed', code: 'SUNNY-10' },
        title: '10 % off your next order',
        instructions: 'Enter the code at the checkout.',
      },
      { id: 'nothing', label: 'Try again', color: '#2a3550', ...none },
      { ...handover, id: 'spins', label: '2 spins', color: '#d6336c', image: pictures.star },
      { id: 'close', label: 'So close', color: '#3a4868', ...none },
      { ...handover, id: 'coffee', label: 'Free coffee', color: '#e8590c', image: pictures.cup },
      { id: 'today', label: 'Not today', color: '#2a3550', ...none },
      { ...handover, id: 'cake', label: 'A cake', color: '#0c8599', image: pictures.cake },
      { id: 'next', label: 'Next time', color: '#3a4868', ...none },
    ],
  }
}
