# The command line as people see it: every transcript is run and compared, the README's too, and the pages that the
# program writes about itself are what it writes now; docs/cli.md holds the examples of the help texts.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(transcripts ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/cli/transcripts.py --program
  $<TARGET_FILE:quadrille_cli>)
file(GLOB transcript_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/*.md)
foreach(file ${transcript_files} ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/cli.md
    ${PROJECT_SOURCE_DIR}/docs/tutorial.md ${PROJECT_SOURCE_DIR}/docs/which_model.md ${PROJECT_SOURCE_DIR}/docs/three_minutes.md
    ${PROJECT_SOURCE_DIR}/docs/how_to.md)
  cmake_path(GET file STEM name)
  add_test(NAME cli.transcript.${name} COMMAND ${transcripts} ${file})
endforeach()
# Those that take a quarter of a minute and more with sanitizers, where they find little: .ci/run has them by the optimised program.
file(STRINGS ${PROJECT_SOURCE_DIR}/tests/cli/optimised.txt optimised)
foreach(name IN LISTS optimised)
  set_tests_properties(cli.transcript.${name} PROPERTIES LABELS slow)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/optimised.txt)
add_test(NAME cli.shells COMMAND bash ${PROJECT_SOURCE_DIR}/tests/cli/shells.sh $<TARGET_FILE:quadrille_cli>)
set_tests_properties(cli.shells PROPERTIES SKIP_RETURN_CODE 77)
set(planted_falsehoods ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/claims/planted_falsehoods.py
  --program $<TARGET_FILE:quadrille_cli> --tests $<TARGET_FILE:quadrille_tests>)
add_test(NAME claims.planted_falsehoods COMMAND ${planted_falsehoods} --one)
add_test(NAME claims.all_planted_falsehoods COMMAND ${planted_falsehoods})
add_test(NAME cli.docs_are_fresh COMMAND bash ${PROJECT_SOURCE_DIR}/tests/cli/docs_are_fresh.sh
  $<TARGET_FILE:quadrille_cli> ${PROJECT_SOURCE_DIR} bibliography topologies rules cli)
# All claims, and pages whose figures take a quarter of a minute: ten times that with sanitizers. .ci/run asks them of the
# optimised program (make check-figures).
add_test(NAME cli.claims_hold COMMAND quadrille_cli claims --check)
add_test(NAME cli.docs_with_figures_are_fresh COMMAND bash ${PROJECT_SOURCE_DIR}/tests/cli/docs_are_fresh.sh
  $<TARGET_FILE:quadrille_cli> ${PROJECT_SOURCE_DIR} algorithms claims)
set_tests_properties(claims.all_planted_falsehoods cli.claims_hold cli.docs_with_figures_are_fresh PROPERTIES LABELS slow)
