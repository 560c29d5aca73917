/** What people read as a project's name; and ways through a long audit by what was done, and by whom. */
export const projectDisplayName = `
alter table projects add column display_name text not null default '';

create index audit_of_project_by_action on audit (project_id, action, id);
create index audit_of_project_by_actor on audit (project_id, actor, id);
`;
