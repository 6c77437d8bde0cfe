import ts from 'typescript';

/**
 * Adds `undefined` to the type of each optional property, so that programs with `exactOptionalPropertyTypes` may pass
 * `undefined`, which JSON leaves out. Drops `ClientOptions`, which the generator writes for its own client.
 */
export function polishTypes(code: string): string {
  const source = ts.createSourceFile('types.ts', code, ts.ScriptTarget.Latest, true);
  const { transformed } = ts.transform(source, [createTransformer]);
  return ts.createPrinter().printFile(transformed[0] ?? source);
}

function createTransformer(context: ts.TransformationContext): ts.Transformer<ts.SourceFile> {
  const visit = (node: ts.Node): ts.Node | undefined => {
    if (ts.isTypeAliasDeclaration(node) && node.name.text === 'ClientOptions') return undefined;
    const visited = ts.visitEachChild(node, visit, context);
    return ts.isPropertySignature(visited) ? orUndefined(visited, context.factory) : visited;
  };
  return (source) => ts.visitEachChild(source, visit, context);
}

function orUndefined(property: ts.PropertySignature, factory: ts.NodeFactory): ts.PropertySignature {
  const { modifiers, name, questionToken, type } = property;
  if (!questionToken || !type || type.kind === ts.SyntaxKind.NeverKeyword) return property;
  const undefinedType = factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const union = factory.createUnionTypeNode([type, undefinedType]);
  return factory.updatePropertySignature(property, modifiers, name, questionToken, union);
}
