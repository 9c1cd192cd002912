/** The texts of messages, one for each language of the game page. A campaign may replace subject and lead. */
type Words = {
  won: { subject: string; lead: string }
  claim_ends: { subject: string; lead: string }
  prize: string
  code: string
  lastDay: string
  button: string
  why: string
}

export const messageWords = {
  ar: {
    won: { subject: 'جائزتك من {merchant}: {prize}', lead: 'تهانينا! لقد فزت.' },
    claim_ends: { subject: 'حتى {lastDay}: {prize}', lead: 'ما زالت جائزتك في انتظارك.' },
    prize: 'الجائزة',
    code: 'الرمز',
    lastDay: 'آخر يوم',
    button: 'عرض الجائزة',
    why: 'تصلك هذه الرسالة لأنك فزت لدى {merchant}.',
  },
  de: {
    won: {
      subject: 'Ihr Gewinn bei {merchant}: {prize}',
      lead: 'Herzlichen Glückwunsch, Sie haben gewonnen!',
    },
    claim_ends: { subject: 'Noch bis {lastDay}: {prize}', lead: 'Ihr Gewinn wartet noch auf Sie.' },
    prize: 'Gewinn',
    code: 'Code',
    lastDay: 'Letzter Tag',
    button: 'Gewinn ansehen',
    why: 'Sie erhalten diese Nachricht, weil Sie bei {merchant} gewonnen haben.',
  },
  en: {
    won: { subject: 'Your prize from {merchant}: {prize}', lead: 'Congratulations, you have won!' },
    claim_ends: { subject: 'Until {lastDay}: {prize}', lead: 'Your prize is still waiting for you.' },
    prize: 'Prize',
    code: 'Code',
    lastDay: 'Last day',
    button: 'See your prize',
    why: 'You get this message because you won at {merchant}.',
  },
  es: {
    won: { subject: 'Su premio de {merchant}: {prize}', lead: '¡Enhorabuena, ha ganado!' },
    claim_ends: { subject: 'Hasta el {lastDay}: {prize}', lead: 'Su premio todavía le espera.' },
    prize: 'Premio',
    code: 'Código',
    lastDay: 'Último día',
    button: 'Ver el premio',
    why: 'Recibe este mensaje porque ha ganado en {merchant}.',
  },
  fr: {
    won: { subject: 'Votre lot chez {merchant} : {prize}', lead: 'Félicitations, vous avez gagné !' },
    claim_ends: { subject: "Jusqu'au {lastDay} : {prize}", lead: 'Votre lot vous attend encore.' },
    prize: 'Lot',
    code: 'Code',
    lastDay: 'Dernier jour',
    button: 'Voir le lot',
    why: 'Vous recevez ce message parce que vous avez gagné chez {merchant}.',
  },
  hi: {
    won: { subject: '{merchant} से आपका इनाम: {prize}', lead: 'बधाई हो, आप जीत गए हैं!' },
    claim_ends: { subject: '{lastDay} तक: {prize}', lead: 'आपका इनाम अब भी आपका इंतज़ार कर रहा है।' },
    prize: 'इनाम',
    code: 'कोड',
    lastDay: 'आख़िरी दिन',
    button: 'इनाम देखें',
    why: 'यह संदेश आपको इसलिए मिला है क्योंकि आप {merchant} पर जीते हैं।',
  },
  it: {
    won: { subject: 'Il suo premio da {merchant}: {prize}', lead: 'Congratulazioni, ha vinto!' },
    claim_ends: { subject: 'Fino al {lastDay}: {prize}', lead: 'Il suo premio la aspetta ancora.' },
    prize: 'Premio',
    code: 'Codice',
    lastDay: 'Ultimo giorno',
    button: 'Vedi il premio',
    why: 'Riceve questo messaggio perché ha vinto da {merchant}.',
  },
  ja: {
    won: { subject: '{merchant} の賞品: {prize}', lead: 'おめでとうございます。当選しました。' },
    claim_ends: { subject: '{lastDay}まで: {prize}', lead: '賞品をまだお受け取りいただけます。' },
    prize: '賞品',
    code: 'コード',
    lastDay: '期限',
    button: '賞品を見る',
    why: 'このメールは、{merchant} で当選された方にお送りしています。',
  },
  pt: {
    won: { subject: 'O seu prémio de {merchant}: {prize}', lead: 'Parabéns, ganhou!' },
    claim_ends: { subject: 'Até {lastDay}: {prize}', lead: 'O seu prémio ainda está à sua espera.' },
    prize: 'Prémio',
    code: 'Código',
    lastDay: 'Último dia',
    button: 'Ver o prémio',
    why: 'Recebe esta mensagem porque ganhou em {merchant}.',
  },
  tr: {
    won: { subject: '{merchant} ödülünüz: {prize}', lead: 'Tebrikler, kazandınız!' },
    claim_ends: { subject: 'Son gün {lastDay}: {prize}', lead: 'Ödülünüz hâlâ sizi bekliyor.' },
    prize: 'Ödül',
    code: 'Kod',
    lastDay: 'Son gün',
    button: 'Ödülü gör',
    why: 'Bu iletiyi {merchant} ile kazandığınız için alıyorsunuz.',
  },
  zh: {
    won: { subject: '您在 {merchant} 的奖品：{prize}', lead: '恭喜您中奖了！' },
    claim_ends: { subject: '截至 {lastDay}：{prize}', lead: '您的奖品还在等您领取。' },
    prize: '奖品',
    code: '兑换码',
    lastDay: '最后一天',
    button: '查看奖品',
    why: '您收到此邮件，是因为您在 {merchant} 中了奖。',
  },
} satisfies Record<string, Words>
