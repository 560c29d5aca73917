/**
 * Words that this program cuts, since no tokenizer of FTS5 finds a word in a text without spaces. The messages that are there are
 * indexed anew.
 */
export const searchWords = `
drop trigger message_was_published;
delete from message_numbers;
drop table message_words;
-- Words are separated by spaces: this tokenizer takes each character beyond ASCII for a part of a word.
create virtual table message_words using fts5 (title, body, content = '', tokenize = 'ascii');
`;
