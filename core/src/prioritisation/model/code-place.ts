// no text in this file: names of folders and files
/** What a file is for, as its path tells. */
export type CodePlace = 'requests' | 'code' | 'test';

const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|cypress|fixtures?|__fixtures__|testdata|mocks?|__mocks__|examples?|samples?)\//i;
const TEST_FILE =
  /(?:[._-](?:test|spec)s?\.[a-z]+|(?:^|\/)test_[^/]+\.py|(?:^|\/)conftest\.py|Tests?\.(?:java|kt|cs|scala|swift|php))$/i;
const REQUEST_FOLDER =
  /(?:^|\/)(?:routes?|routers?|controllers?|handlers?|endpoints?|resolvers?|servlets?|middlewares?|api|views|webhooks?)\//i;
const REQUEST_FILE =
  /(?:controller|router?s?|handler|resolver|servlet|endpoints?|views|urls|middleware|resource)\.(?:[a-z]+)$/i;

/** Code that handles requests, test code, or any other code. By names that frameworks and test runners expect. Pure. */
export const codePlaceOf = (path: string): CodePlace => {
  if (TEST_FOLDER.test(path) || TEST_FILE.test(path)) return 'test';
  return REQUEST_FOLDER.test(path) || REQUEST_FILE.test(path) ? 'requests' : 'code';
};
