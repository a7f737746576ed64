export {
  hasSuggested,
  planUndo,
  type UndoFacts,
  type UndoPlan,
  type UndoRefusal,
  type UndoStep,
} from "./plan-undo.ts";
