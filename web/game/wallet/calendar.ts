/** An iCalendar file (RFC 5545) that reminds of a prize's last day. It has no link: calendars are shared and synced. */
type Reminder = { prizeId: string; title: string; text: string; until: string; now: Date }

export function calendarOf({ prizeId, title, text, until, now }: Reminder): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Wheelhouse//Wallet//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    // The same at a second download, which then replaces the entry.
    `UID:${prizeId}`,
    `DTSTAMP:${inUtc(now)}`,
    `DTSTART:${inUtc(new Date(until))}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(text)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    'TRIGGER:-P1D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** Such as 20261201T120000Z. */
function inUtc(moment: Date): string {
  return moment.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n')
}

const octetsMax = 75
const encoder = new TextEncoder()

/** A line has at most 75 octets. The rest follows after a line break and a space, which counts too. */
function folded(line: string): string {
  let length = 0
  let text = ''
  // By characters, none of which may be cut.
  for (const character of line) {
    const octets = encoder.encode(character).length
    if (length + octets > octetsMax) {
      text += '\r\n '
      length = 1
    }
    text += character
    length += octets
  }
  return text
}
