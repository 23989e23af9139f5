export * from './document.ts';
export { expressionIssue } from './expressions.ts';
export { manifestOfDocument, type ReadDocument, readDocument } from './read-document.ts';
