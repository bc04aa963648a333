export interface BannedWord {
  /** The word or phrase as vocabulary.md lists it. */
  word: string
  /** Its inflected forms, in lower case. A form with a space is a phrase of texts. */
  forms: readonly string[]
  /** Banned in all names, only in names of types, or in types and as the noun that ends a name. */
  inNames: 'any' | 'types' | 'nouns'
  inTexts: boolean
}

/** The list of vocabulary.md. Kept and asked are ordinary verbs in a sentence, so only names are checked for them. */
export const BANNED_WORDS: readonly BannedWord[] = [
  banned('tell', ['tell', 'tells', 'telling', 'tellings', 'teller', 'told']),
  banned('hear', ['hear', 'hears', 'heard', 'hearing', 'hearings', 'hearer', 'unheard']),
  banned('deed', ['deed', 'deeds']),
  banned('wish', ['wish', 'wishes', 'wished', 'wishing']),
  banned('obey', ['obey', 'obeys', 'obeyed', 'obeying']),
  banned('mourn', ['mourn', 'mourns', 'mourned', 'mourning']),
  banned('deaf', ['deaf', 'deafen', 'deafened']),
  banned('anew', ['anew']),
  banned('retell', ['retell', 'retells', 'retelling', 'retold']),
  banned('greet', ['greet', 'greets', 'greeted', 'greeting', 'greetings']),
  banned('narrowing', ['narrowing', 'narrowings']),
  banned('upkeep', ['upkeep', 'upkeeps']),
  banned('whoever', ['whoever', 'whomever']),
  { word: 'kept', forms: ['kept'], inNames: 'nouns', inTexts: false },
  { word: 'asked', forms: ['asked'], inNames: 'types', inTexts: false },
  banned('is none', ['is none', 'are none', 'was none', 'were none', 'be none']),
  banned('for want of', ['for want of']),
  banned('is forgotten', [
    'is forgotten',
    'are forgotten',
    'was forgotten',
    'were forgotten',
    'be forgotten',
    'been forgotten',
  ]),
]

function banned(word: string, forms: string[]): BannedWord {
  return { word, forms, inNames: 'any', inTexts: true }
}

/**
 * Names that keep a banned word because data or requests of an earlier version hold them: journal events, SQL
 * columns, setting keys, problem codes. The texts of the specification use none of the words.
 */
export const STORED_NAMES: readonly string[] = [
  // Column of jobs, task_runs and backtests; field of their replies.
  'asked_by',
  // Reason code of a trading state in the journal.
  'asked',
]

/** Words of a name: `keptDesk`, `KEPT_DESK`, `kept-desk` and `#keptDesk` are all "kept desk". */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

export function bannedInName(name: string, isType: boolean): string[] {
  const words = wordsOf(name)
  return BANNED_WORDS.filter(({ forms, inNames }) => {
    if (inNames === 'types' && !isType) return false
    if (inNames === 'nouns' && !isType) return forms.includes(words.at(-1) ?? '') && !isClaim(words)
    return words.some((word) => forms.includes(word))
  }).map(({ word }) => word)
}

export function bannedInText(text: string): string[] {
  const words = wordsOf(text)
  const sentence = ` ${words.join(' ')} `
  return BANNED_WORDS.filter(
    ({ forms, inTexts }) => inTexts && forms.some((form) => sentence.includes(` ${form} `)),
  ).map(({ word }) => word)
}

/** A boolean such as `isKept` or `wasKept` states a fact and names nothing. */
function isClaim(words: string[]): boolean {
  return ['is', 'are', 'was', 'has', 'be'].includes(words[0] ?? '')
}
