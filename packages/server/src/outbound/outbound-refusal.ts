/** What we do not send, with the sentence that says why. Thrown inside this folder and told as a value outside. */
export class OutboundRefusal extends Error {}
