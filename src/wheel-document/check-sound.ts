/**
 * Sounds that a merchant uploads. MP3 and WAV are the two formats that every browser decodes, and whose length can be
 * read without decoding them.
 */
const notThatKind = 'is not the kind of sound that it says'
const damaged = 'is a damaged sound'

/** Why a sound can't be published, or null. Its bytes decide, not its media type. No sound is fine. */
export function soundProblem(
  dataUrl: string | undefined,
  { secondsMax }: { secondsMax: number },
): string | null {
  if (dataUrl === undefined) return null
  const match = /^data:audio\/(mpeg|wav);base64,(.+)$/.exec(dataUrl)
  if (match === null) return notThatKind
  const bytes = Buffer.from(match[2] as string, 'base64')
  const isWav = /^RIFF[^]{4}WAVE/.test(bytes.toString('latin1', 0, 12))
  if (isWav !== (match[1] === 'wav')) return notThatKind
  const seconds = isWav ? wavSeconds(bytes) : mp3Seconds(bytes)
  if (seconds === null || seconds === 0) return damaged
  return seconds > secondsMax ? `lasts ${seconds.toFixed(1)} seconds; it may last ${secondsMax}` : null
}

/** The length of the samples over the bytes per second. */
function wavSeconds(bytes: Buffer): number | null {
  let bytesPerSecond = 0
  for (let at = 12; at + 8 <= bytes.length;) {
    const [type, length] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)]
    if (at + 8 + length > bytes.length) return null
    if (type === 'fmt ' && length >= 16) bytesPerSecond = bytes.readUInt32LE(at + 16)
    if (type === 'data') return bytesPerSecond === 0 ? null : length / bytesPerSecond
    at += 8 + length + (length % 2)
  }
  return null
}

/** The sum of all frames. An MP3 file has no header of its own, but may begin and end with tags. */
function mp3Seconds(bytes: Buffer): number | null {
  let at = bytes.toString('latin1', 0, 3) === 'ID3' ? tagEnd(bytes) : 0
  let seconds = 0
  while (at + 4 <= bytes.length && bytes.toString('latin1', at, at + 3) !== 'TAG') {
    const frame = readFrame(bytes.readUInt32BE(at))
    if (frame === null || at + frame.length > bytes.length) return null
    seconds += frame.seconds
    at += frame.length
  }
  return seconds
}

/** The length of the first tag is in four bytes of seven bits each. */
function tagEnd(bytes: Buffer): number {
  const sizes = bytes.subarray(6, 10)
  return 10 + sizes.reduce((size, byte) => size * 128 + (byte & 0x7f), 0)
}

const kilobits = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  second: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const hertz = [44_100, 48_000, 32_000]

/** A frame of layer III, by its header of four bytes. Versions 2 and 2.5 have half and a quarter of the sample rate. */
function readFrame(header: number): { length: number; seconds: number } | null {
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1
  const version = (header >>> 19) & 3
  const isFirst = version === 3
  const bits = kilobits[isFirst ? 'first' : 'second'][(header >>> 12) & 15]
  const rate = hertz[(header >>> 10) & 3]
  if (!isLayer3 || version === 1 || !bits || rate === undefined) return null
  const sampleRate = isFirst ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = isFirst ? 1_152 : 576
  const padding = (header >>> 9) & 1
  return {
    length: Math.floor((samples / 8) * ((bits * 1_000) / sampleRate)) + padding,
    seconds: samples / sampleRate,
  }
}
