/** The texts of messages about spins, which are marketing, and of the page that ends them. */
type SpinWords = {
  spins_waiting: { subject: string; lead: string }
  spins_expire: { subject: string; lead: string }
  spins: string
  button: string
  why: string
  unsubscribe: string
  question: string
  done: string
}

export const spinWords = {
  ar: {
    spins_waiting: { subject: 'لفاتك لدى {merchant} في انتظارك', lead: 'ما زال بإمكانك أن تدير العجلة.' },
    spins_expire: { subject: 'حتى {lastDay}: لفاتك لدى {merchant}', lead: 'بعض لفاتك تنتهي قريبًا.' },
    spins: 'اللفات',
    button: 'العب الآن',
    why: 'تصلك هذه الرسالة لأنك وافقت على تلقي أخبار من {merchant}.',
    unsubscribe: 'إلغاء الاشتراك',
    question: 'ألا تريد مزيدًا من هذه الرسائل من {merchant}؟',
    done: 'لن تصلك رسائل كهذه من {merchant} بعد الآن. أما الرسائل عن جوائزك فتصلك كما في السابق.',
  },
  de: {
    spins_waiting: {
      subject: 'Bei {merchant} warten Drehungen auf Sie',
      lead: 'Sie können noch am Rad drehen.',
    },
    spins_expire: {
      subject: 'Noch bis {lastDay}: Ihre Drehungen bei {merchant}',
      lead: 'Einige Ihrer Drehungen verfallen bald.',
    },
    spins: 'Drehungen',
    button: 'Jetzt drehen',
    why: 'Sie erhalten diese Nachricht, weil Sie Neuigkeiten von {merchant} zugestimmt haben.',
    unsubscribe: 'Abmelden',
    question: 'Möchten Sie keine solchen Nachrichten von {merchant} mehr?',
    done: 'Sie erhalten keine solchen Nachrichten von {merchant} mehr. Nachrichten über Ihre Gewinne kommen weiterhin an.',
  },
  en: {
    spins_waiting: {
      subject: 'Spins are waiting for you at {merchant}',
      lead: 'You can still spin the wheel.',
    },
    spins_expire: {
      subject: 'Until {lastDay}: your spins at {merchant}',
      lead: 'Some of your spins expire soon.',
    },
    spins: 'Spins',
    button: 'Play now',
    why: 'You get this message because you agreed to news from {merchant}.',
    unsubscribe: 'Unsubscribe',
    question: 'No more such messages from {merchant}?',
    done: 'You get no more such messages from {merchant}. Messages about your prizes still arrive.',
  },
  es: {
    spins_waiting: { subject: 'Le esperan tiradas en {merchant}', lead: 'Todavía puede girar la ruleta.' },
    spins_expire: {
      subject: 'Hasta el {lastDay}: sus tiradas en {merchant}',
      lead: 'Algunas de sus tiradas caducan pronto.',
    },
    spins: 'Tiradas',
    button: 'Jugar ahora',
    why: 'Recibe este mensaje porque aceptó recibir novedades de {merchant}.',
    unsubscribe: 'Darse de baja',
    question: '¿No quiere más mensajes de este tipo de {merchant}?',
    done: 'Ya no recibirá mensajes de este tipo de {merchant}. Los mensajes sobre sus premios siguen llegando.',
  },
  fr: {
    spins_waiting: {
      subject: 'Des tours vous attendent chez {merchant}',
      lead: 'Vous pouvez encore tourner la roue.',
    },
    spins_expire: {
      subject: "Jusqu'au {lastDay} : vos tours chez {merchant}",
      lead: 'Certains de vos tours expirent bientôt.',
    },
    spins: 'Tours',
    button: 'Jouer maintenant',
    why: 'Vous recevez ce message car vous avez accepté les nouvelles de {merchant}.',
    unsubscribe: 'Se désabonner',
    question: 'Ne plus recevoir de tels messages de {merchant} ?',
    done: 'Vous ne recevrez plus de tels messages de {merchant}. Les messages sur vos lots arrivent toujours.',
  },
  hi: {
    spins_waiting: {
      subject: '{merchant} पर आपके स्पिन इंतज़ार कर रहे हैं',
      lead: 'आप अब भी पहिया घुमा सकते हैं।',
    },
    spins_expire: {
      subject: '{lastDay} तक: {merchant} पर आपके स्पिन',
      lead: 'आपके कुछ स्पिन जल्द ही समाप्त हो जाएँगे।',
    },
    spins: 'स्पिन',
    button: 'अभी खेलें',
    why: 'यह संदेश आपको इसलिए मिला है क्योंकि आपने {merchant} के समाचारों के लिए सहमति दी थी।',
    unsubscribe: 'सदस्यता रद्द करें',
    question: '{merchant} से ऐसे संदेश और नहीं चाहिए?',
    done: 'अब आपको {merchant} से ऐसे संदेश नहीं मिलेंगे। आपके इनामों के संदेश पहले की तरह आते रहेंगे।',
  },
  it: {
    spins_waiting: { subject: 'Da {merchant} la aspettano dei giri', lead: 'Può ancora girare la ruota.' },
    spins_expire: {
      subject: 'Fino al {lastDay}: i suoi giri da {merchant}',
      lead: 'Alcuni dei suoi giri scadono presto.',
    },
    spins: 'Giri',
    button: 'Gioca ora',
    why: 'Riceve questo messaggio perché ha accettato le novità di {merchant}.',
    unsubscribe: 'Annulla iscrizione',
    question: 'Non vuole più messaggi di questo tipo da {merchant}?',
    done: 'Non riceverà più messaggi di questo tipo da {merchant}. I messaggi sui suoi premi arrivano ancora.',
  },
  ja: {
    spins_waiting: {
      subject: '{merchant} でスピンをお待ちしています',
      lead: 'まだルーレットを回すことができます。',
    },
    spins_expire: {
      subject: '{lastDay}まで: {merchant} のスピン',
      lead: 'スピンの一部がまもなく期限切れになります。',
    },
    spins: 'スピン',
    button: '今すぐプレイ',
    why: 'このメールは、{merchant} からのお知らせに同意された方にお送りしています。',
    unsubscribe: '配信停止',
    question: '{merchant} からのこのようなメールを停止しますか。',
    done: '{merchant} からのこのようなメールは届かなくなります。賞品についてのメールは引き続き届きます。',
  },
  pt: {
    spins_waiting: { subject: 'Há jogadas à sua espera em {merchant}', lead: 'Ainda pode girar a roda.' },
    spins_expire: {
      subject: 'Até {lastDay}: as suas jogadas em {merchant}',
      lead: 'Algumas das suas jogadas expiram em breve.',
    },
    spins: 'Jogadas',
    button: 'Jogar agora',
    why: 'Recebe esta mensagem porque aceitou novidades de {merchant}.',
    unsubscribe: 'Cancelar a subscrição',
    question: 'Não quer mais mensagens destas de {merchant}?',
    done: 'Não receberá mais mensagens destas de {merchant}. As mensagens sobre os seus prémios continuam a chegar.',
  },
  tr: {
    spins_waiting: {
      subject: '{merchant} çevirme haklarınız sizi bekliyor',
      lead: 'Çarkı hâlâ çevirebilirsiniz.',
    },
    spins_expire: {
      subject: 'Son gün {lastDay}: {merchant} çevirme haklarınız',
      lead: 'Çevirme haklarınızın bir kısmı yakında sona eriyor.',
    },
    spins: 'Çevirme hakkı',
    button: 'Şimdi oyna',
    why: 'Bu iletiyi {merchant} haberlerine onay verdiğiniz için alıyorsunuz.',
    unsubscribe: 'Abonelikten çık',
    question: '{merchant} bu tür iletileri artık göndermesin mi?',
    done: '{merchant} size bu tür iletileri artık göndermeyecek. Ödülleriniz hakkındaki iletiler gelmeye devam eder.',
  },
  zh: {
    spins_waiting: { subject: '您在 {merchant} 还有抽奖机会', lead: '您仍然可以转动转盘。' },
    spins_expire: {
      subject: '截至 {lastDay}：您在 {merchant} 的抽奖机会',
      lead: '您的部分抽奖机会即将过期。',
    },
    spins: '抽奖机会',
    button: '立即参与',
    why: '您收到此邮件，是因为您同意接收 {merchant} 的消息。',
    unsubscribe: '退订',
    question: '不再接收 {merchant} 的此类邮件吗？',
    done: '您将不再收到 {merchant} 的此类邮件。关于您奖品的邮件仍会送达。',
  },
} satisfies Record<string, SpinWords>
