/** What a form shows after a failed try: messages at their fields, and a text for the rest. */
export interface FormFailure {
  fields: Readonly<Record<string, string>>
  text: string | undefined
  /** No answer came, so the text stays while the form changes. */
  isUnknown?: boolean
}
