import ts from 'typescript'
import { collect, type Remark } from '../source/syntax.ts'
import { isTest } from '../source/tree.ts'

interface Reserved {
  name: string
  /** Where the name is checked, and where it is allowed. */
  within: RegExp
  except: RegExp
  says: string
}

/** Names that only one area of a package may use (style 10, 12). */
const RESERVED: readonly Reserved[] = [
  {
    name: 'fetch',
    within: /^packages\/web\/src\//,
    except: /^packages\/web\/src\/(data|testkit)\//,
    says: 'calls fetch; the network belongs to data/.',
  },
  {
    name: 'useEffect',
    within: /^packages\/web\/src\/pages\//,
    except: /^$/,
    says: 'uses an effect; effects belong to ui/, state/ and app/.',
  },
  {
    name: 'process.env',
    within: /^packages\/server\/src\//,
    except: /^packages\/server\/src\/(main|.*-command)\.ts$/,
    says: 'reads the environment; main passes it to config/.',
  },
]

export function reservedNames(file: ts.SourceFile): Remark[] {
  if (isTest(file.fileName)) return []
  const rows = RESERVED.filter(
    ({ within, except }) => within.test(file.fileName) && !except.test(file.fileName),
  )
  if (rows.length === 0) return []
  return collect(file, (node) => rows.find(({ name }) => isUseOf(node, name))?.says)
}

function isUseOf(node: ts.Node, name: string): boolean {
  if (ts.isCallExpression(node)) return node.expression.getText() === name
  return ts.isPropertyAccessExpression(node) && node.getText() === name
}
