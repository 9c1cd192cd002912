// An SMTP server that keeps every mail for the test, unless the test tells it to answer otherwise.
import { createServer, type AddressInfo } from 'node:net'
import { defer, type Lifetime } from './scene.ts'

export type Mail = { from: string; to: string[]; text: string }
export type TestMailbox = {
  url: string
  mails: Mail[]
  refuses: boolean
  /** A reply to a recipient or to the whole mail. `drop`: the mail is kept, and the connection ends without a reply. */
  answer: (to: string, at: 'recipient' | 'end') => string | undefined | Promise<string | undefined>
}

export async function makeTestMailbox(t: Lifetime): Promise<TestMailbox> {
  const box: TestMailbox = { url: '', mails: [], refuses: false, answer: () => undefined }
  const server = createServer((socket) => {
    let rest = ''
    let mail: Mail = { from: '', to: [], text: '' }
    let isData = false
    const reply = (line: string) => socket.write(`${line}\r\n`)
    const handleLine = async (line: string): Promise<void> => {
      if (isData) {
        if (line !== '.') mail.text += `${line.replace(/^\./, '')}\n`
        else {
          isData = false
          const answer = await box.answer(mail.to[0] ?? '', 'end')
          if (answer === undefined || answer === 'drop') box.mails.push(mail)
          if (answer === 'drop') socket.destroy()
          else reply(answer ?? '250 kept')
        }
        return
      }
      const command = line.slice(0, 4).toUpperCase()
      if (command === 'EHLO') reply('250 test-mailbox')
      else if (command === 'MAIL') {
        mail = { from: addressIn(line), to: [], text: '' }
        reply(box.refuses ? '451 not now' : '250 ok')
      } else if (command === 'RCPT') {
        mail.to.push(addressIn(line))
        reply((await box.answer(addressIn(line), 'recipient')) ?? '250 ok')
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
      for (const line of lines) void handleLine(line)
    })
    reply('220 test-mailbox')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  defer(t, () => server.close())
  box.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return box
}

/** A mail with soft line breaks and encoded ASCII characters decoded. */
export function plainText({ text }: Mail): string {
  const plain = text.replaceAll('=\n', '')
  return plain.replaceAll(/=([2-7][0-9A-F])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The link in a mail. */
export function linkIn(mail: Mail): string {
  const plain = plainText(mail)
  return /https?:\/\/\S+\/console\/welcome#[\w-]{43}/.exec(plain)?.[0] ?? ''
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
