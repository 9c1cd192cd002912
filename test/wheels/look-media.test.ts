// Pictures and sounds of a look: what is broken, animated, too large or too long is refused with the reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pictureProblem } from '../../src/wheel-document/check-picture.ts'
import { soundProblem } from '../../src/wheel-document/check-sound.ts'
import { makeJpeg, makeMp3, makePng, makeWav, makeWebp } from '../scenes/media.ts'

/** The file with its last bytes cut off. */
function cut(dataUrl: string, bytes: number): string {
  const [type = '', data = ''] = dataUrl.split(',')
  return `${type},${Buffer.from(data, 'base64').subarray(0, -bytes).toString('base64')}`
}

/** The file with one byte changed. */
function flip(dataUrl: string, at: number): string {
  const [type = '', data = ''] = dataUrl.split(',')
  const bytes = Buffer.from(data, 'base64')
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  return `${type},${bytes.toString('base64')}`
}

test('a still picture of any size up to 2048 pixels is fine', () => {
  for (const make of [makePng, makeJpeg, makeWebp])
    assert.equal(pictureProblem(make({ width: 2048, height: 1 })), null, make.name)
  assert.equal(pictureProblem(undefined), null)
})

test('a broken, animated or huge picture is refused with the reason', () => {
  const damaged = [cut(makePng(), 5), flip(makePng(), 43), cut(makeWebp(), 1), makeJpeg({ isWhole: false })]
  for (const picture of damaged) assert.match(pictureProblem(picture) ?? '', /damaged/)
  for (const make of [makePng, makeWebp])
    assert.match(pictureProblem(make({ isAnimated: true })) ?? '', /animated/, make.name)
  for (const make of [makePng, makeJpeg, makeWebp])
    assert.match(pictureProblem(make({ width: 9000, height: 3 })) ?? '', /9000 × 3 pixels/, make.name)
  const others = [makePng().replace('png', 'webp'), makeWav(), 'data:image/png;base64,PHN2Zz4=']
  for (const picture of others) assert.match(pictureProblem(picture) ?? '', /not the kind/)
})

test('a sound that is broken, too long or of another kind is refused with the reason', () => {
  const short = { secondsMax: 0.5 }
  for (const sound of [undefined, makeWav({ seconds: 0.5 }), makeMp3({ frames: 20 })])
    assert.equal(soundProblem(sound, short), null)
  assert.equal(soundProblem(makeWav({ seconds: 0.7 }), short), 'lasts 0.7 seconds; it may last 0.5')
  assert.equal(soundProblem(makeMp3({ frames: 100 }), short), 'lasts 2.4 seconds; it may last 0.5')
  for (const sound of [makeWav({ isWhole: false }), makeMp3({ isWhole: false }), makeMp3({ frames: 0 })])
    assert.match(soundProblem(sound, short) ?? '', /damaged/)
  for (const sound of [makeWav().replace('wav', 'mpeg'), makeMp3().replace('mpeg', 'wav'), makePng()])
    assert.match(soundProblem(sound, short) ?? '', /not the kind/)
})
