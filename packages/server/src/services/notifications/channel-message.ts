/** What became of one try, in the provider's own words. */
export interface ChannelAnswer {
  isAccepted: boolean
  answer: string
}

/** A message as every channel sends it. */
export interface ChannelMessage {
  /** The same for every try of one message, and for no other message of any server. */
  id: string
  subject: string
  text: string
}
