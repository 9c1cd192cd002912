// Workbooks as Excel, other programs and our own exports write them, read without a browser.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ZipFile } from 'yazl'
import { xlsxOf } from '../../src/http/manage/exports/xlsx.ts'
import { openZip, readPart } from '../../web/console/parts/zip-parts.ts'
import { readXlsx } from '../../web/console/views/import/xlsx-rows.ts'

async function zipOf(parts: Record<string, string | Buffer>): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return bytesOf(await buffer(zip.outputStream))
}

function bytesOf(file: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(file)
}

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="http://x/relationships/${type}" Target="${target}"/>`

/** As Excel writes it: texts in a table of their own, days as numbers, the first sheet hidden. */
const workbook = {
  'xl/workbook.xml': `<workbook><workbookPr/><sheets><sheet name="old" sheetId="1" state="hidden" r:id="rId1"/>
    <sheet name="Kunden" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}
    ${relation('rId2', 'worksheet', '/xl/worksheets/sheet2.xml')}${relation('rId3', 'styles', 'styles.xml')}
    ${relation('rId4', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
  'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/>
    <numFmt numFmtId="165" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="166" formatCode="0 &quot;Stunden&quot;"/>
    </numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14" xfId="0"/>
    <xf numFmtId="164"><alignment/></xf><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
  'xl/sharedStrings.xml': `<sst><si><t>Kunde</t></si><si><r><t xml:space="preserve">J&#252;rgen </t></r><r><t>&amp; Co</t></r>
    <rPh sb="0" eb="1"><t>spoken</t></rPh></si><si><t/></si></sst>`,
  'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>',
  'xl/worksheets/sheet2.xml': `<x:worksheet xmlns:x="y"><x:cols><x:col min="1"/></x:cols><x:sheetData>
    <x:row r="2" spans="1:5"><x:c r="A2" t="s"><x:v>0</x:v></x:c><x:c r="C2" t="inlineStr"><x:is><x:t>bis</x:t></x:is></x:c></x:row>
    <x:row r="3"><x:c r="A3" t="s"><x:v>1</x:v></x:c><x:c r="B3" s="2"><x:v>42</x:v></x:c><x:c r="C3" s="1"><x:v>46387</x:v></x:c></x:row>
    <x:row r="4"/><x:row r="5"><x:c r="A5" t="s"><x:v>2</x:v></x:c></x:row>
    <x:row r="7"><x:c r="B7"><x:v>0.30000000000000004</x:v></x:c><x:c r="C7" s="3"><x:v>46387.75</x:v></x:c>
    <x:c r="D7" s="4"><x:v>5</x:v></x:c><x:c r="E7" t="str"><x:f>A1</x:f><x:v>_x0041_nn</x:v></x:c><x:c r="F7" t="b"><x:v>1</x:v></x:c></x:row>
    </x:sheetData></x:worksheet>`,
}

test('the first visible sheet is read, with days, zeros in front, and texts as they are shown', async () => {
  const rows = await readXlsx(await zipOf(workbook))
  assert.deepEqual(
    rows?.map(({ line, cells }) => [line, cells]),
    [
      [2, ['Kunde', '', 'bis']],
      [3, ['Jürgen & Co', '00042', '2026-12-31']],
      [7, ['', '0.3', '2026-12-31 18:00', '5', 'Ann', 'TRUE']],
    ],
  )
  assert.equal(rows?.[1]?.text, 'Jürgen & Co,00042,2026-12-31')
  const from1904 = workbook['xl/workbook.xml'].replace('<workbookPr/>', '<workbookPr date1904="1"/>')
  const [, second] = (await readXlsx(await zipOf({ ...workbook, 'xl/workbook.xml': from1904 }))) ?? []
  assert.equal(second?.cells[2], '2031-01-01')
})

test('a workbook of our own export is read', async () => {
  const columns = ['playerId', 'at', 'spins'].map((name) => ({ name, isTime: name === 'at' }))
  async function* rows() {
    yield { playerId: 'ann <1>', at: '2026-12-31T18:00:00.000Z', spins: 5 }
    yield { playerId: 'bob', at: null, spins: 3 }
  }
  const read = await readXlsx(bytesOf(await buffer(xlsxOf(columns, rows()))))
  assert.deepEqual(
    read?.map(({ cells }) => cells),
    [
      ['playerId', 'at (UTC)', 'spins'],
      ['ann <1>', '2026-12-31 18:00', '5'],
      ['bob', '', '3'],
    ],
  )
})

test('what is no workbook, is damaged, or unpacks to too much is not read', async () => {
  const whole = await zipOf(workbook)
  assert.equal(await readXlsx(await zipOf({ 'word/document.xml': '<w/>' })), undefined)
  assert.equal(await readXlsx(whole.slice(0, -30)), undefined)
  assert.equal(await readXlsx(whole.slice(200)), undefined)
  const damaged = whole.slice()
  damaged.fill(0xff, 60, 120)
  assert.equal(await readXlsx(damaged), undefined)
  const bomb = openZip(await zipOf({ zeros: Buffer.alloc(1_000_000) }))
  assert.ok(bomb !== undefined && bomb.bytes.length < 5_000)
  assert.equal(await readPart(bomb, 'zeros', 999_999), undefined)
  assert.equal((await readPart(bomb, 'zeros', 1_000_000))?.length, 1_000_000)
})
