// An SMTP server that accepts every mail and keeps it for the test.
import { createServer, type AddressInfo } from 'node:net'
import { defer, type Lifetime } from './scene.ts'

export type Letter = { from: string; to: string[]; text: string }
export type LetterBox = { url: string; letters: Letter[]; refuses: boolean }

export async function makeLetterBox(t: Lifetime): Promise<LetterBox> {
  const box: LetterBox = { url: '', letters: [], refuses: false }
  const server = createServer((socket) => {
    let rest = ''
    let letter: Letter = { from: '', to: [], text: '' }
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const hear = (line: string): void => {
      if (isData) {
        if (line !== '.') letter.text += `${line.replace(/^\./, '')}\n`
        else {
          isData = false
          box.letters.push(letter)
          letter = { from: '', to: [], text: '' }
          say('250 kept')
        }
        return
      }
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO') say('250 letter-box')
      else if (verb === 'MAIL') {
        letter.from = addressIn(line)
        say(box.refuses ? '451 not now' : '250 ok')
      } else if (verb === 'RCPT') {
        letter.to.push(addressIn(line))
        say('250 ok')
      } else if (verb === 'DATA') {
        isData = true
        say('354 go on')
      } else if (verb === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop() ?? ''
      lines.forEach(hear)
    })
    say('220 letter-box')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  defer(t, () => server.close())
  box.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return box
}

/** The text of a mail, with soft line breaks and encoded characters decoded. */
export function linkIn({ text }: Letter): string {
  const plain = text.replaceAll('=\n', '').replaceAll('=3D', '=').replaceAll('=23', '#')
  return /https?:\/\/\S+\/console\/welcome#[\w-]{43}/.exec(plain)?.[0] ?? ''
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
