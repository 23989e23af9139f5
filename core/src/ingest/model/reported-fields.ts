/** What an import stores of a result. Owned by the slice of the findings. */
export { type FieldName, fieldNames, fieldTypes } from '../../findings/model/finding-fields.ts';
