// An SMTP server that accepts every mail and keeps it for the test.
import { createServer, type AddressInfo } from 'node:net'
import { defer, type Lifetime } from './scene.ts'

export type Mail = { from: string; to: string[]; text: string }
export type TestMailbox = { url: string; mails: Mail[]; refuses: boolean }

export async function makeTestMailbox(t: Lifetime): Promise<TestMailbox> {
  const box: TestMailbox = { url: '', mails: [], refuses: false }
  const server = createServer((socket) => {
    let rest = ''
    let mail: Mail = { from: '', to: [], text: '' }
    let isData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    const handleLine = (line: string): void => {
      if (isData) {
        if (line !== '.') mail.text += `${line.replace(/^\./, '')}\n`
        else {
          isData = false
          box.mails.push(mail)
          mail = { from: '', to: [], text: '' }
          reply('250 kept')
        }
        return
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO') reply('250 test-mailbox')
      else if (command === 'MAIL') {
        mail.from = addressIn(line)
        reply(box.refuses ? '451 not now' : '250 ok')
      } else if (command === 'RCPT') {
        mail.to.push(addressIn(line))
        reply('250 ok')
      } else if (command === 'DATA') {
        isData = true
        reply('354 go on')
      } else if (command === 'QUIT') {
        reply('221 bye')
        socket.end()
      } else reply('250 ok')
    }
    socket.setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.on('data', (chunk: string) => {
      const lines = `${rest}${chunk}`.split('\r\n')
      rest = lines.pop() ?? ''
      lines.forEach(handleLine)
    })
    reply('220 test-mailbox')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  defer(t, () => server.close())
  box.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return box
}

/** The link in a mail, with soft line breaks and encoded characters decoded. */
export function linkIn({ text }: Mail): string {
  const plain = text.replaceAll('=\n', '').replaceAll('=3D', '=').replaceAll('=23', '#')
  return /https?:\/\/\S+\/console\/welcome#[\w-]{43}/.exec(plain)?.[0] ?? ''
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
