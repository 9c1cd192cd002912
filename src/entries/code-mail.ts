import type { Mail } from '../mail.ts'
import { nameInMail } from '../staff/staff-mails.ts'

/**
 * The mail with the code. Subject and first line begin with it, because that is what a telephone shows. Nothing in it
 * advertises, or it would itself need a consent.
 */
export function codeMail(
  to: string,
  { code, merchant, language }: { code: string; merchant: string; language: string },
): Mail {
  const known = language.split('-')[0] as string
  const { subject, text }: Words = words[Object.hasOwn(words, known) ? (known as keyof typeof words) : 'en']
  const name = nameInMail(merchant)
  return { to, subject: subject(code, name), text: `${subject(code, name)}\n\n${text}\n` }
}

type Words = { subject: (code: string, merchant: string) => string; text: string }

/** One for each language of the game page. The code comes first in all of them. */
const words = {
  ar: {
    subject: (code, merchant) => `${code} هو رمزك لدى ${merchant}`,
    text: 'اكتبه حيث شاركت. وهو صالح لمدة عشر دقائق.\n\nإذا لم تطلبه، فلا داعي لفعل أي شيء.',
  },
  de: {
    subject: (code, merchant) => `${code} ist Ihr Code für ${merchant}`,
    text: 'Geben Sie ihn dort ein, wo Sie teilgenommen haben. Er gilt zehn Minuten.\n\nWenn Sie ihn nicht angefordert haben, müssen Sie nichts tun.',
  },
  en: {
    subject: (code, merchant) => `${code} is your code for ${merchant}`,
    text: 'Type it where you entered. It is valid for ten minutes.\n\nIf you did not ask for it, do nothing.',
  },
  es: {
    subject: (code, merchant) => `${code} es su código para ${merchant}`,
    text: 'Escríbalo donde participó. Es válido durante diez minutos.\n\nSi no lo ha pedido, no haga nada.',
  },
  fr: {
    subject: (code, merchant) => `${code} est votre code pour ${merchant}`,
    text: "Saisissez-le là où vous avez participé. Il est valable dix minutes.\n\nSi vous ne l'avez pas demandé, ne faites rien.",
  },
  hi: {
    subject: (code, merchant) => `${code} ${merchant} के लिए आपका कोड है`,
    text: 'इसे वहीं लिखें जहाँ आपने भाग लिया था। यह दस मिनट तक मान्य है।\n\nअगर आपने इसे नहीं माँगा था, तो कुछ न करें।',
  },
  it: {
    subject: (code, merchant) => `${code} è il suo codice per ${merchant}`,
    text: "Lo inserisca dove ha partecipato. È valido per dieci minuti.\n\nSe non l'ha chiesto, non deve fare nulla.",
  },
  ja: {
    subject: (code, merchant) => `${code} は ${merchant} の確認コードです`,
    text: '参加したページで入力してください。有効期間は 10 分です。\n\nお心当たりがない場合は、何もする必要はありません。',
  },
  pt: {
    subject: (code, merchant) => `${code} é o seu código para ${merchant}`,
    text: 'Introduza-o onde participou. É válido durante dez minutos.\n\nSe não o pediu, não precisa de fazer nada.',
  },
  tr: {
    subject: (code, merchant) => `${code}, ${merchant} için kodunuz`,
    text: 'Katıldığınız yere yazın. On dakika geçerlidir.\n\nSiz istemediyseniz bir şey yapmanız gerekmez.',
  },
  zh: {
    subject: (code, merchant) => `${code} 是您在 ${merchant} 的验证码`,
    text: '请在您参加活动的页面输入。有效期为十分钟。\n\n如果您没有请求过验证码，则无需进行任何操作。',
  },
} satisfies Record<string, Words>
