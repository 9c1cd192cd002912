/** The little XML of workbooks: elements that don't contain themselves, attributes, and escaped text. Pure. */

/** The elements of a name in their order, with any prefix. `tag` has the attributes. */
export function elements(xml: string, name: string): { tag: string; body: string }[] {
  const opening = `<(?:\\w+:)?${name}(?=[\\s/>])([^>]*?)`
  const pattern = new RegExp(`${opening}(?:/>|>([^]*?)</(?:\\w+:)?${name}>)`, 'g')
  return Array.from(xml.matchAll(pattern), ([, tag = '', body = '']) => ({ tag, body }))
}

export function attribute(tag: string, name: string): string | undefined {
  const [, value, quoted] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag) ?? []
  const found = value ?? quoted
  return found === undefined ? undefined : plainText(found)
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Also Excel's own way to write characters that XML can't hold: `_x000D_`. */
export function plainText(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[([^]*?)\]\]>/g, '$1')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
      if (name !== undefined) return named[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0x10_ffff ? whole : String.fromCodePoint(code)
    })
    .replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
