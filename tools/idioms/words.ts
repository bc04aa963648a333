import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'
import { isTest } from '../source/tree.ts'

interface Reserved {
  word: string
  /** Where the word is looked for, less the places it belongs to. */
  within: RegExp
  except: RegExp
  says: string
}

/** Names that belong to one part of a room (style B.10, B.12). */
const RESERVED: readonly Reserved[] = [
  {
    word: 'fetch',
    within: /^packages\/web\/src\//,
    except: /^packages\/web\/src\/(data|testkit)\//,
    says: 'calls fetch; the network belongs to data/.',
  },
  {
    word: 'useEffect',
    within: /^packages\/web\/src\/pages\//,
    except: /^$/,
    says: 'uses an effect; effects belong to ui/, state/ and app/.',
  },
  {
    word: 'process.env',
    within: /^packages\/server\/src\//,
    except: /^packages\/server\/src\/(main|config|restore)\.ts$/,
    says: 'reads the environment; config.ts parses it once.',
  },
]

export function wordsInTheirPlace(file: ts.SourceFile): Remark[] {
  if (isTest(file.fileName)) return []
  const rows = RESERVED.filter(
    ({ within, except }) => within.test(file.fileName) && !except.test(file.fileName),
  )
  if (rows.length === 0) return []
  return collect(file, (node) => rows.find(({ word }) => isUseOf(node, word))?.says)
}

function isUseOf(node: ts.Node, word: string): boolean {
  if (ts.isCallExpression(node)) return node.expression.getText() === word
  return ts.isPropertyAccessExpression(node) && node.getText() === word
}
