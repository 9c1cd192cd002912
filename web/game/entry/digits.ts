const zeros = [0x660, 0x6f0, 0x966, 0xff10]

/** Keyboards of Arabic, Persian, Hindi and Japanese have digits of their own. */
export function westernDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0)
    return String(code - (zeros.findLast((zero) => zero <= code) as number))
  })
}
