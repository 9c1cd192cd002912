// The same code as for `require`, so that a program that loads both has one class of each error.
export {
  verifyWebhook,
  WebhookRejected,
  Wheelhouse,
  WheelhouseProblem,
  WheelhouseUnreachable,
} from './index.js'
