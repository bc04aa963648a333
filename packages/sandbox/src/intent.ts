import { type Intent, idFrom } from '@binnacle/engine'
import type { IntentMessage } from '#child/protocol.ts'

/** Orders and cancels that a module may submit, in market time, so that backtest and live trading count alike. */
export const INTENT_RATE = { burst: 200, perSecond: 5 }
export const TOO_MANY_INTENTS = `submitted too many orders and cancels (burst ${INTENT_RATE.burst}, then ${INTENT_RATE.perSecond}/s)`

export function toIntent(message: IntentMessage): Intent {
  return message.type === 'cancel' ? { type: 'cancel', orderId: idFrom(message.orderId) } : message
}
