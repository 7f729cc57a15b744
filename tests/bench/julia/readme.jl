# SPDX-License-Identifier: Apache-2.0
"""
    put_table(path, name, table)

Write a table into a README, between the marks of that name. With no path print it.
"""
function put_table(path, name, table)
    isempty(path) && return print(table)
    begins, ends = "<!-- The bench writes this table: $name -->\n", "<!-- end of the table: $name -->\n"
    parts = split(read(path, String), begins)
    rest = length(parts) == 2 ? split(parts[2], ends) : String[]
    length(rest) == 2 || error("$path: expected the marks of the table $name one time each")
    write(path, parts[1], begins, "\n", table, "\n", ends, rest[2])
    return nothing
end
